package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// lastWait is how long calls that were cancelled have to notice.
const lastWait = time.Second

// shutDown ends streams, then calls, then connections.
func (s *Server) shutDown(server *http.Server, cancelCalls context.CancelFunc) error {
	s.end()
	grace, done := context.WithTimeout(context.Background(), s.opts.Limits.Grace)
	defer done()
	if err := server.Shutdown(grace); err == nil {
		return nil
	}
	cancelCalls()
	_ = server.Close()
	for deadline := time.Now().Add(lastWait); s.active.Load() > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			return fmt.Errorf("%d requests did not end when they were cancelled", s.active.Load())
		}
	}
	return nil
}

// limitListener lets in at most n connections at once; others wait in the
// system's queue.
func limitListener(l net.Listener, n int) net.Listener {
	return &limited{Listener: l, places: make(places, n), closed: make(chan struct{})}
}

type limited struct {
	net.Listener
	places places
	once   sync.Once
	closed chan struct{}
}

func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &limitedConn{Conn: conn, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// limitedConn gives its place back when it is closed. It keeps CloseWrite, with
// which net/http lets a client read why its body was refused.
type limitedConn struct {
	net.Conn
	leave func()
}

func (c *limitedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

func (c *limitedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
