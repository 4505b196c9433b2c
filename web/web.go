// Package web serves HTTP: it decides which requests are let in, how many and how long.
// API has the handlers of the gateway between agents; other handlers come from elsewhere.
// Every request passes these guards, in this order:
//
//  1. host and origin: it was meant for this machine, and comes from no foreign
//     web page;
//  2. its token, if the server has tokens, which also names the agent;
//  3. the rate of its client;
//  4. its body, read whole within a time and a size, at most so many of one client at once;
//  5. the limit of requests under way, which slow senders do not count towards.
//
// There is no TLS: beyond one machine, engram stands behind a proxy or a tunnel.
package web

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"time"
)

// What zero Limits stand for.
const (
	DefaultBody        = 4 << 20 // as the MCP SDK has it; the largest honest message is some 10 KiB
	DefaultCalls       = 64
	DefaultStreams     = 256
	DefaultConnections = 512
	DefaultRate        = 200
	DefaultHeaderTime  = 10 * time.Second
	DefaultBodyTime    = 30 * time.Second
	DefaultPatience    = 5 * time.Second
	DefaultGrace       = 1500 * time.Millisecond
)

const (
	idleTime  = 2 * time.Minute // between two requests of a connection
	maxHeader = 32 << 10
)

// Limits bound what clients may take up. A zero field is its default.
type Limits struct {
	Body        int64         // bytes of a request's body
	Calls       int           // requests under way at once, streams apart
	Streams     int           // open event streams
	Connections int           // beyond these, clients wait to be let in
	Rate        int           // requests a second of one client; it may save up five seconds of them
	HeaderTime  time.Duration // for the header of a request
	BodyTime    time.Duration // for its body, beyond that
	Patience    time.Duration // how long a request waits for a place before it is turned away
	Grace       time.Duration // for calls under way when the server ends
}

// Options are the settings of a server; the zero value is the default.
type Options struct {
	// Routes are the handlers, by pattern as http.ServeMux has them. /healthz and
	// /readyz are the server's own.
	Routes map[string]http.Handler
	// Own are handlers, by pattern, that find out for themselves who may speak, such as pages
	// with a login: no token is asked for there. Every other guard stands before them, too.
	Own map[string]http.Handler
	// Streams are the paths where a GET is an event stream, open until one side ends.
	Streams []string
	// Tokens are who may speak. Where there are any, every request but those about
	// health needs one; without any, only this machine may speak.
	Tokens []Token
	// AllowedHosts are names by which this machine is called beside those of loopback
	// and the address that was connected to.
	AllowedHosts []string
	// AllowedOrigins are web pages that may speak, such as https://memory.example;
	// those on loopback always may.
	AllowedOrigins []string
	// Ready says whether work can be done; nil means always. It is called at most
	// once a second. A client needs no token for it and does not see the error.
	Ready  func(context.Context) error
	Logger *slog.Logger // nil discards; requests are Debug, rejected ones Warn
	// Hide removes from an error the secrets of the request that it is about; nil removes
	// nothing.
	Hide   func(message string, said ...string) string
	Limits Limits
}

// ErrTokenRequired reports an address that other machines can reach without a token.
var ErrTokenRequired = errors.New("anybody who can reach this address could read and write the memory: a token is required")

// Server serves HTTP on one listener.
type Server struct {
	opts    Options
	hosts   map[string]bool
	origins map[string]bool
	callers *callers
	own     *http.ServeMux // of Options.Own
	rates   *rates
	calls   places
	streams places
	senders senders
	health  readiness
	handler http.Handler

	active atomic.Int64       // requests whose handlers run
	ending context.Context    // done as soon as the server begins to end
	end    context.CancelFunc // of ending
}

// New checks the options and makes a server. The error says which host, origin,
// token or route is wrong, and has no token in it.
func New(opts *Options) (*Server, error) {
	s := &Server{}
	if opts != nil {
		s.opts = *opts
	}
	s.opts.Routes, s.opts.Own, s.opts.Streams = maps.Clone(s.opts.Routes), maps.Clone(s.opts.Own), slices.Clone(s.opts.Streams)
	own, err := muxOf(s.opts.Own)
	if err != nil {
		return nil, err
	}
	s.own = own
	s.opts.Limits = s.opts.Limits.filled()
	if s.opts.Logger == nil {
		s.opts.Logger = slog.New(slog.DiscardHandler)
	}
	if s.hosts, err = hostNames(s.opts.AllowedHosts); err != nil {
		return nil, err
	}
	if s.origins, err = originNames(s.opts.AllowedOrigins); err != nil {
		return nil, err
	}
	if s.callers, err = newCallers(s.opts.Tokens); err != nil {
		return nil, err
	}
	s.opts.Tokens = nil // their digests are enough
	s.rates = newRates(s.opts.Limits.Rate)
	s.calls, s.streams = make(places, s.opts.Limits.Calls), make(places, s.opts.Limits.Streams)
	s.ending, s.end = context.WithCancel(context.Background())
	s.handler, err = s.chain()
	return s, err
}

// guard handles a request, or passes it on to the next handler.
type guard func(w http.ResponseWriter, r *http.Request, next http.Handler)

// chain returns the routes behind every guard, the first one outermost.
func (s *Server) chain() (http.Handler, error) {
	next, err := s.routes()
	if err != nil {
		return nil, err
	}
	guards := []guard{s.headers, s.logged, s.recovered, s.host, s.origin, s.identify, s.rate, s.healthy, s.token, s.body, s.place}
	for _, g := range slices.Backward(guards) {
		after := next
		next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { g(w, r, after) })
	}
	return next, nil
}

// Serve answers until ctx is done, and closes the listener. Then event streams
// end at once, and calls under way have Limits.Grace before they are cancelled;
// it returns when all of them have ended, or with an error when some do not. It
// is called once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if err := s.MayListen(l.Addr()); err != nil {
		_ = l.Close()
		return err
	}
	calls, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	server := &http.Server{
		Handler: s.handler, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ReadHeaderTimeout: s.opts.Limits.HeaderTime, ReadTimeout: s.opts.Limits.HeaderTime + s.opts.Limits.BodyTime,
		// There is no WriteTimeout: it would end event streams. net/http takes the
		// ReadTimeout away when the body was read.
		BaseContext: func(net.Listener) context.Context { return calls },
		ErrorLog:    slog.NewLogLogger(s.opts.Logger.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(limitListener(l, s.opts.Limits.Connections)) }()
	select {
	case err := <-ended:
		s.end()
		_ = server.Close()
		return err
	case <-ctx.Done():
	}
	err := s.shutDown(server, cancel)
	<-ended // the listener is closed
	return err
}

// MayListen returns ErrTokenRequired if other machines could speak without a token: at an
// address that they reach, or through a proxy on this machine, for which hosts and
// origins are allowed.
func (s *Server) MayListen(addr net.Addr) error {
	if s.callers.none() && (!Loopback(addr) || len(s.hosts) > 0 || len(s.origins) > 0) {
		return ErrTokenRequired
	}
	return nil
}

// Loopback reports whether only this machine can reach an address.
func Loopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

func (l Limits) filled() Limits {
	return Limits{
		Body: orDefault(l.Body, DefaultBody), Calls: orDefault(l.Calls, DefaultCalls), Streams: orDefault(l.Streams, DefaultStreams),
		Connections: orDefault(l.Connections, DefaultConnections), Rate: orDefault(l.Rate, DefaultRate),
		HeaderTime: orDefault(l.HeaderTime, DefaultHeaderTime), BodyTime: orDefault(l.BodyTime, DefaultBodyTime),
		Patience: orDefault(l.Patience, DefaultPatience), Grace: orDefault(l.Grace, DefaultGrace),
	}
}

// orDefault returns a limit, or its default if it is not positive.
func orDefault[T int | int64 | time.Duration](limit, otherwise T) T {
	return cmp.Or(max(limit, 0), otherwise)
}
