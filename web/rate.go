package web

import (
	"net/http"
	"sync"
	"time"

	"engram/memory"
	"engram/web/internal/wire"
)

const (
	savedUp   = 5           // seconds of requests that a client may save up
	paced     = time.Second // a client that is too fast waits this long at most, and is turned away beyond
	maxCounts = 4096        // clients counted at once; those who have saved up everything need no counting
)

// rates count the requests of each client: buckets that fill at one rate.
type rates struct {
	every time.Duration // a request takes this much of a bucket
	size  time.Duration // of a bucket

	mu sync.Mutex
	// full is when each client's bucket is full again.
	full map[string]time.Time
}

func newRates(perSecond int) *rates {
	return &rates{every: time.Second / time.Duration(perSecond), size: savedUp * time.Second, full: make(map[string]time.Time)}
}

// take counts a request of a client at a moment. It may go ahead after wait; one
// with ok false may not, and does not count.
func (r *rates) take(client string, now time.Time) (wait time.Duration, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, counted := r.full[client]; !counted && len(r.full) >= maxCounts {
		r.forget(now)
		if len(r.full) >= maxCounts {
			client = "" // more clients than can be counted share one bucket
		}
	}
	full := r.full[client]
	if full.Before(now) {
		full = now
	}
	full = full.Add(r.every)
	wait = max(0, full.Sub(now)-r.size)
	if wait > paced {
		return wait, false
	}
	r.full[client] = full
	return wait, true
}

func (r *rates) forget(now time.Time) {
	for client, full := range r.full {
		if full.Before(now) {
			delete(r.full, client)
		}
	}
}

// rate slows down a client that sends faster than it may: one that waits for its
// answers never notices more than that. One that does not wait is turned away.
func (s *Server) rate(w http.ResponseWriter, r *http.Request, next http.Handler) {
	wait, ok := s.rates.take(wire.CallerOf(r.Context()).Name, time.Now())
	if !ok {
		w.Header().Set("Retry-After", "2")
		s.refuse(w, r, wire.NewError(http.StatusTooManyRequests, memory.CodeRefused, "requests come faster than they are let in", "wait for an answer before the next request"),
			"client", wire.CallerOf(r.Context()).Name)
		return
	}
	if wait > 0 {
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
			return
		}
	}
	next.ServeHTTP(w, r)
}
