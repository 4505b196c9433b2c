package web

import (
	"context"
	"net/http"
	"sync"
	"time"

	"engram/memory"
	"engram/web/internal/wire"
)

const (
	readyTime = 2 * time.Second // for Options.Ready
	readyAge  = time.Second     // for which its answer stands
)

// healthy answers /healthz and /readyz, for which nobody needs a token.
func (s *Server) healthy(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if r.URL.Path != "/healthz" && r.URL.Path != "/readyz" {
		next.ServeHTTP(w, r)
		return
	}
	wire.NotesOf(r.Context()).Route = r.URL.Path
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		s.refuse(w, r, wrongMethod())
		return
	}
	if r.URL.Path == "/readyz" && !s.ready(r.Context()) {
		wire.WriteError(w, r, wire.NewError(http.StatusServiceUnavailable, memory.CodeUnusable, "not ready", "`engram status` in the repository says why"))
		return
	}
	wire.WriteJSON(w, http.StatusOK, struct {
		SchemaVersion int    `json:"schema_version"`
		Status        string `json:"status"`
	}{memory.SchemaVersion, "ok"})
}

// readiness is what Options.Ready said last.
type readiness struct {
	mu   sync.Mutex
	when time.Time
	ok   bool
}

// ready asks Options.Ready, or knows it: strangers may ask as well, and the
// answer costs work.
func (s *Server) ready(ctx context.Context) bool {
	if s.ending.Err() != nil {
		return false
	}
	if s.opts.Ready == nil {
		return true
	}
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	if time.Since(s.health.when) < readyAge {
		return s.health.ok
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTime) // who asked may leave; the answer is for all
	defer cancel()
	err := s.opts.Ready(ctx)
	if err != nil {
		code, _ := memory.Classify(err)
		s.opts.Logger.WarnContext(ctx, "not ready", "code", code)
	}
	s.health.when, s.health.ok = time.Now(), err == nil
	return s.health.ok
}
