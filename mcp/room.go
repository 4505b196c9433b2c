package mcp

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"engram/memory"
)

// Opener opens the memory of the repository that a server is for.
type Opener func(context.Context) (Opened, error)

// Opened is a memory and what its configuration says.
type Opened struct {
	Memory      *memory.Memory
	Close       func()        // called once, after the last call
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

	mu      sync.Mutex
	now     *lease // nil: nothing is open
	closed  bool
	closing sync.WaitGroup // leases that are being given up, and warm
}

// watchPause is how long a watch that failed is left alone. Every call catches up
// by itself meanwhile.
const watchPause = 30 * time.Second

// lease is an open memory and the calls that use it.
type lease struct {
	Opened
	calls     sync.WaitGroup
	stopWatch func()
}

func newRoom(open Opener, watch bool, log *slog.Logger) *room {
	return &room{open: open, watch: watch, log: log}
}

// warm opens the memory while the client introduces itself.
func (r *room) warm(ctx context.Context) {
	r.closing.Go(func() {
		if l, err := r.take(ctx); err == nil {
			l.calls.Done()
		}
	})
}

// take is the open memory. The caller calls calls.Done when it is done with it.
func (r *room) take(ctx context.Context) (*lease, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, context.Canceled
	}
	if r.now == nil {
		opened, err := r.open(ctx)
		if err != nil {
			return nil, err
		}
		r.now = &lease{Opened: opened, stopWatch: func() {}}
		if r.watch {
			r.now.startWatch(r.log)
		}
	}
	r.now.calls.Add(1)
	return r.now, nil
}

// startWatch runs until stopWatch, which waits for it.
func (l *lease) startWatch(log *slog.Logger) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			err := l.Memory.Watch(ctx, memory.WatchOptions{Budget: l.AuditBudget})
			log.Debug("watching ended", "error", err)
			select {
			case <-time.After(watchPause):
			case <-ctx.Done():
			}
		}
	}()
	l.stopWatch = func() { cancel(); <-done }
}

// drop gives up a memory that cannot be used any more, so that the next call
// opens it anew.
func (r *room) drop(l *lease) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != l {
		return
	}
	r.now = nil
	r.closing.Go(l.end)
}

func (l *lease) end() {
	l.stopWatch()
	l.calls.Wait()
	l.Close()
}

func (r *room) close() {
	r.mu.Lock()
	l := r.now
	r.now, r.closed = nil, true
	r.mu.Unlock()
	if l != nil {
		l.end()
	}
	r.closing.Wait()
}
