package site

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// heartbeat keeps proxies from ending a stream on which nothing happens.
const heartbeat = 25 * time.Second

// pause is the least time from one event of a viewer to the next.
const pause = time.Second

// bell tells every viewer that the memory moved.
type bell struct {
	mu       sync.Mutex
	revision string
	rung     chan struct{} // closed when it rings
}

func newBell() *bell { return &bell{rung: make(chan struct{})} }

func (b *bell) ring(revision string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if revision == b.revision {
		return
	}
	b.revision = revision
	close(b.rung)
	b.rung = make(chan struct{})
}

func (b *bell) listen() (revision string, next <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.revision, b.rung
}

// Follow tells viewers whenever the memory moves, until ctx is done.
func (s *Site) Follow(ctx context.Context) error {
	m, _, giveBack, err := s.opts.Lend(ctx)
	if err != nil {
		return err
	}
	err = m.Follow(ctx, s.bell.ring)
	giveBack(err)
	return err
}

// events is a stream of server-sent events: "moved", with the revision, at each move.
func (s *Site) events(w http.ResponseWriter, r *http.Request, _ *visitor) {
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	before, next := s.bell.listen()
	text, told := "retry: 2000\n\n", false
	for {
		if _, err := fmt.Fprint(w, text); err != nil || out.Flush() != nil {
			return
		}
		// A page is read again at each event, so the next one waits, however busy writers are.
		if told && !wait(r.Context(), pause) {
			return
		}
		text, told = "", false
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
			text = ": still here\n\n"
		case <-next:
			var now string
			if now, next = s.bell.listen(); now != before {
				before, text, told = now, "event: moved\ndata: "+now+"\n\n", true
			}
		}
	}
}

// wait waits unless ctx is done.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
