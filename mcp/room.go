package mcp

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"engram/memory"
)

// Opener opens the memory of the repository that a server is for. done closes it,
// once, after the last call.
type Opener func(context.Context) (o Opened, done func(), err error)

// Opened is a memory and what its configuration says.
type Opened struct {
	Memory      *memory.Memory
	Agent       string        // who reads and writes where nobody says
	Limit       int           // hits of a query; 0 is memory's default
	Budget      int           // tokens of an answer; 0 is memory's default
	AuditBudget time.Duration // of the models that an audit asks; 0 is memory's default
	// Changed lists the files that somebody works on, for the brief; nil is none.
	Changed func(context.Context) []string
}

// room holds the memory while calls use it. A repository that is not there yet,
// or not any more, is looked for again at each call.
type room struct {
	open  Opener
	watch bool
	log   *slog.Logger
	ctx   context.Context // of what outlasts a call; end ends it
	end   context.CancelFunc

	mu      sync.Mutex
	lease   *lease   // nil: nothing is open
	opening *opening // nil: nobody is opening it
	closed  bool
	pending sync.WaitGroup // openings, and leases that are being given up
}

// opening is an attempt that several calls may wait for.
type opening struct {
	done chan struct{}
	err  error // once done is closed
}

// lease is an open memory and the calls that use it.
type lease struct {
	Opened
	done      func()
	calls     sync.WaitGroup
	stopWatch func()
	news      atomic.Int64 // conflicts that were found in the background and that nobody was told of
}

// watchPause is how long a watch that failed is left alone. Every call catches up
// by itself meanwhile.
const watchPause = 30 * time.Second

var errClosed = errors.New("the server is closing")

func newRoom(open Opener, watch bool, log *slog.Logger) *room {
	r := &room{open: open, watch: watch, log: log}
	r.ctx, r.end = context.WithCancel(context.Background())
	return r
}

// warm opens the memory while the client introduces itself.
func (r *room) warm() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed && r.lease == nil {
		r.begin()
	}
}

// take is the open memory, which the caller gives back.
func (r *room) take(ctx context.Context) (*lease, error) {
	for {
		r.mu.Lock()
		if r.closed {
			r.mu.Unlock()
			return nil, errClosed
		}
		if l := r.lease; l != nil {
			l.calls.Add(1)
			r.mu.Unlock()
			return l, nil
		}
		attempt := r.begin()
		r.mu.Unlock()
		select {
		case <-attempt.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if attempt.err != nil {
			return nil, attempt.err
		}
	}
}

// Lend lends the memory to another surface of this process, for one call, with what
// was fetched taken in as before a tool's. giveBack is told how the call ended: a
// memory that has become unusable is opened anew for the next one.
func (s *Server) Lend(ctx context.Context) (o Opened, giveBack func(error), err error) {
	l, err := s.room.take(ctx)
	if err != nil {
		return o, nil, err
	}
	l.settle(ctx, s.opts.Logger)
	return l.Opened, func(err error) { s.room.giveBack(l, err) }, nil
}

// begin opens the memory unless somebody is at it. mu is held.
func (r *room) begin() *opening {
	if r.opening != nil {
		return r.opening
	}
	attempt := &opening{done: make(chan struct{})}
	r.opening = attempt
	r.pending.Go(func() {
		o, done, err := r.open(r.ctx)
		r.mu.Lock()
		defer r.mu.Unlock()
		if err == nil && r.closed {
			done()
			err = errClosed
		}
		if err == nil {
			r.lease = &lease{Opened: o, done: done, stopWatch: func() {}}
			if r.watch {
				r.lease.startWatch(r.log)
			}
		}
		attempt.err, r.opening = err, nil
		close(attempt.done)
	})
	return attempt
}

// startWatch runs until stopWatch, which waits for it.
func (l *lease) startWatch(log *slog.Logger) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			err := l.Memory.Watch(ctx, memory.WatchOptions{Budget: l.AuditBudget, Report: func(r memory.WatchReport) { l.news.Add(int64(r.Opened)) }})
			if ctx.Err() != nil {
				return
			}
			log.Warn("watching stopped, and goes on in a while", "error", err)
			select {
			case <-time.After(watchPause):
			case <-ctx.Done():
			}
		}
	}()
	l.stopWatch = func() { cancel(); <-ended }
}

// giveBack ends the use of a memory by one call. One that has become unusable is
// given up, so that the next call opens it anew.
func (r *room) giveBack(l *lease, err error) {
	l.calls.Done()
	if code, _ := memory.Classify(err); err == nil || code != memory.CodeUnusable {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lease == l && !r.closed {
		r.lease = nil
		r.pending.Go(l.end)
	}
}

func (l *lease) end() {
	l.stopWatch()
	l.calls.Wait()
	l.done()
}

func (r *room) close() {
	r.mu.Lock()
	l := r.lease
	r.lease, r.closed = nil, true
	r.mu.Unlock()
	r.end()
	if l != nil {
		l.end()
	}
	r.pending.Wait()
}
