// Package holder holds the open memory that the calls of a server share. It is opened
// when a call first needs it, and again after the repository was gone.
package holder

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
	Agent       string        // the agent that reads and writes if nobody names one
	Limit       int           // hits of a query; 0 means memory's default
	Budget      int           // tokens of an answer; 0 means memory's default
	AuditBudget time.Duration // of the models that an audit asks; 0 means memory's default
	// Sampling: the client's model may be asked about pairs that a commit leaves undecided.
	Sampling bool
	// Changed lists the files that somebody works on, for the brief; nil means none.
	Changed func(context.Context) []string
}

// Holder holds the memory while calls use it. A repository that is missing is looked
// for again at each call.
type Holder struct {
	open  Opener
	watch bool
	log   *slog.Logger

	mu      sync.Mutex
	lease   *Lease   // nil if nothing is open
	opening *opening // nil if nobody is opening it
	closed  bool
	pending sync.WaitGroup // openings, and leases that are being given up
}

// opening is an attempt that several calls may wait for.
type opening struct {
	cancel context.CancelFunc
	done   chan struct{}
	err    error // valid once done is closed
}

// Lease is an open memory and the calls that use it.
type Lease struct {
	Opened
	done      func()
	calls     sync.WaitGroup
	stopWatch func()
	news      atomic.Int64 // conflicts found in the background that no caller has heard of
}

// watchPause is how long a failed watch waits before it starts again. Every call
// catches up by itself in the meantime.
const watchPause = 30 * time.Second

var errClosed = errors.New("the server is closing")

// New makes a holder. With watch it keeps index and branch up to date between calls.
func New(open Opener, watch bool, log *slog.Logger) *Holder {
	return &Holder{open: open, watch: watch, log: log}
}

// Warm opens the memory in the background, so that the first call need not wait.
func (h *Holder) Warm() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed && h.lease == nil {
		h.begin()
	}
}

// Take returns the open memory; the caller must call GiveBack.
func (h *Holder) Take(ctx context.Context) (*Lease, error) {
	for {
		h.mu.Lock()
		if h.closed {
			h.mu.Unlock()
			return nil, errClosed
		}
		if l := h.lease; l != nil {
			l.calls.Add(1)
			h.mu.Unlock()
			return l, nil
		}
		attempt := h.begin()
		h.mu.Unlock()
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

// begin opens the memory unless that is under way. The caller holds mu.
func (h *Holder) begin() *opening {
	if h.opening != nil {
		return h.opening
	}
	ctx, cancel := context.WithCancel(context.Background()) // it serves calls after the first
	attempt := &opening{cancel: cancel, done: make(chan struct{})}
	h.opening = attempt
	h.pending.Go(func() {
		defer cancel()
		o, done, err := h.open(ctx)
		h.mu.Lock()
		defer h.mu.Unlock()
		if err == nil && h.closed {
			done()
			err = errClosed
		}
		if err == nil {
			h.lease = &Lease{Opened: o, done: done, stopWatch: func() {}}
			if h.watch {
				h.lease.startWatch(h.log)
			}
		}
		attempt.err, h.opening = err, nil
		close(attempt.done)
	})
	return attempt
}

// startWatch runs until stopWatch, which waits for it.
func (l *Lease) startWatch(log *slog.Logger) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			err := l.Memory.Watch(ctx, memory.WatchOptions{Budget: l.AuditBudget, Report: func(r memory.WatchReport) { l.news.Add(int64(r.Opened)) }})
			if ctx.Err() != nil {
				return
			}
			log.Warn("watching stopped; it starts again soon", "error", err)
			select {
			case <-time.After(watchPause):
			case <-ctx.Done():
			}
		}
	}()
	l.stopWatch = func() { cancel(); <-ended }
}

// Before each call, fetched commits are merged, so that a colleague's push is in the
// first answer after git pull. These bound how long that takes and how many facts are
// audited; the watch does the rest.
const (
	settleTime = time.Second
	settleMost = 50
)

// Settle merges what git has fetched.
func (l *Lease) Settle(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	settled, err := l.Memory.SettleFetched(ctx, memory.SettleInput{Most: settleMost, Budget: settleTime})
	if err != nil {
		log.Debug("fetched commits are not merged yet", "error", err)
	}
	l.news.Add(int64(len(settled.Opened)))
}

// News returns how many conflicts were found since it was last called.
func (l *Lease) News() int { return int(l.news.Swap(0)) }

// GiveBack ends the use of a memory by one call. If the call found the memory unusable,
// the next call opens it again.
func (h *Holder) GiveBack(l *Lease, err error) {
	l.calls.Done()
	if code, _ := memory.Classify(err); err == nil || code != memory.CodeUnusable {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.lease == l && !h.closed {
		h.lease = nil
		h.pending.Go(l.end)
	}
}

func (l *Lease) end() {
	l.stopWatch()
	l.calls.Wait()
	l.done()
}

// Close waits for calls that are under way and closes the memory.
func (h *Holder) Close() {
	h.mu.Lock()
	l := h.lease
	h.lease, h.closed = nil, true
	if h.opening != nil {
		h.opening.cancel()
	}
	h.mu.Unlock()
	if l != nil {
		l.end()
	}
	h.pending.Wait()
}
