package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"engram/memory"
	"engram/web/internal/wire"
)

// places bound how much goes on at once.
type places chan struct{}

// take waits for a place.
func (p places) take(ctx context.Context, patience time.Duration) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case p <- struct{}{}:
		return true
	case <-ctx.Done():
	case <-timer.C:
	}
	return false
}

// place bounds the requests under way. Event streams have places of their own,
// so that listeners keep nobody from calling; they end with the server.
func (s *Server) place(w http.ResponseWriter, r *http.Request, next http.Handler) {
	places := s.calls
	if s.isStream(r) {
		places = s.streams
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(s.ending, cancel)()
		r = r.WithContext(ctx)
	}
	if !places.take(r.Context(), s.opts.Limits.Patience) {
		s.noPlace(w, r, cap(places))
		return
	}
	defer func() { <-places }()
	next.ServeHTTP(w, r)
}

func (s *Server) noPlace(w http.ResponseWriter, r *http.Request, most int) {
	w.Header().Set("Retry-After", "1")
	s.refuse(w, r, wire.NewError(http.StatusServiceUnavailable, memory.CodeLost, "too many requests are under way", "try again"), "places", most)
}

// senders bound how many requests with a body one client has at once, so that one that
// is slow keeps none but itself waiting.
type senders struct {
	mu   sync.Mutex
	list map[string]*sender
}

type sender struct {
	places
	waiting int // requests that have a place or wait for one
}

// take waits for a place of a client's. If ok, the caller must call giveBack once.
func (s *senders) take(ctx context.Context, name string, most int, patience time.Duration) (giveBack func(), ok bool) {
	s.mu.Lock()
	if s.list == nil {
		s.list = make(map[string]*sender)
	}
	one := s.list[name]
	if one == nil {
		one = &sender{places: make(places, most)}
		s.list[name] = one
	}
	one.waiting++
	s.mu.Unlock()
	leave := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if one.waiting--; one.waiting == 0 {
			delete(s.list, name)
		}
	}
	if !one.take(ctx, patience) {
		leave()
		return nil, false
	}
	return func() { <-one.places; leave() }, true
}

// isStream reports whether a request is for events that come until it ends. Its
// Accept header does not tell: a handler may stream to a client that accepts anything.
func (s *Server) isStream(r *http.Request) bool {
	return r.Method == http.MethodGet && slices.Contains(s.opts.Streams, r.URL.Path)
}

// body reads the whole body before the handler runs, so that no handler meets a
// sender that is slow or gone.
func (s *Server) body(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if r.Body == nil || r.Body == http.NoBody {
		next.ServeHTTP(w, r)
		return
	}
	giveBack, ok := s.senders.take(r.Context(), wire.CallerOf(r.Context()).Name, s.opts.Limits.Calls, s.opts.Limits.Patience)
	if !ok {
		s.noPlace(w, r, s.opts.Limits.Calls)
		return
	}
	defer giveBack()
	b, err := s.readBody(w, r)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		w.Header().Set("Connection", "close") // the rest is not waited for
		s.refuse(w, r, wire.NewError(http.StatusRequestEntityTooLarge, memory.CodeUsage,
			fmt.Sprintf("the body has more than %d bytes", s.opts.Limits.Body), "send less at a time"))
		return
	case err != nil:
		w.Header().Set("Connection", "close")
		s.refuse(w, r, wire.NewError(http.StatusRequestTimeout, memory.CodeUsage,
			fmt.Sprintf("the body did not arrive whole within %s", s.opts.Limits.BodyTime), "send it at once"))
		return
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
	next.ServeHTTP(w, r)
}

func (s *Server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > s.opts.Limits.Body {
		return nil, &http.MaxBytesError{Limit: s.opts.Limits.Body}
	}
	return io.ReadAll(http.MaxBytesReader(w, r.Body, s.opts.Limits.Body))
}
