package web

import (
	"cmp"
	"fmt"
	"net/http"
	"runtime"
	"time"

	"engram/memory"
	"engram/web/internal/wire"
)

// logged counts and logs requests.
func (s *Server) logged(w http.ResponseWriter, r *http.Request, next http.Handler) {
	s.active.Add(1)
	defer s.active.Add(-1)
	began, n, out := time.Now(), &wire.Notes{Route: "none", Hide: s.opts.Hide, Said: said(r)}, &response{ResponseWriter: w}
	defer func() {
		if n.Failure != nil {
			code, _ := memory.Classify(n.Failure)
			s.opts.Logger.WarnContext(r.Context(), "failed", "route", n.Route, "code", code, "error", fmt.Sprintf("%.300s", n.Failure))
		}
		s.opts.Logger.DebugContext(r.Context(), "request", "method", method(r), "route", n.Route, "status", out.status,
			"bytes", out.bytes, "client", n.Caller.Name, "agent", n.Caller.Agent, "took", time.Since(began))
	}()
	next.ServeHTTP(out, r.WithContext(wire.WithNotes(r.Context(), n)))
}

// said is what the first line of a request says, decoded.
func said(r *http.Request) []string {
	texts := []string{r.URL.Path}
	for name, values := range r.URL.Query() {
		texts = append(append(texts, name), values...)
	}
	return texts
}

// method is the request's method if it is a known one; any text can be sent as one.
func method(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodHead, http.MethodPut, http.MethodPatch, http.MethodOptions:
		return r.Method
	}
	return "other"
}

// recovered answers for a handler that panics. The panic's value may quote a fact, so
// only its type and the places in the source are logged.
func (s *Server) recovered(w http.ResponseWriter, r *http.Request, next http.Handler) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler {
			panic(p)
		}
		s.opts.Logger.ErrorContext(r.Context(), "panic", "route", wire.NotesOf(r.Context()).Route, "type", fmt.Sprintf("%T", p), "at", whereItPanicked())
		if out, ok := w.(*response); ok && out.status != 0 {
			panic(http.ErrAbortHandler) // half an answer must not look like a whole one
		}
		wire.WriteError(w, r, wire.NewError(http.StatusInternalServerError, memory.CodeFailure, "engram failed", "this is a fault of engram; its log says where"))
	}()
	next.ServeHTTP(w, r)
}

func whereItPanicked() []string {
	var counters [16]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(4, counters[:])]) // past this, the deferred function and panic
	var places []string
	for {
		frame, more := frames.Next()
		places = append(places, fmt.Sprintf("%s:%d", frame.Function, frame.Line))
		if !more {
			return places
		}
	}
}

// response remembers what was answered. Streams flush through it.
type response struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (r *response) WriteHeader(status int) {
	if r.status == 0 && status >= 200 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *response) Write(b []byte) (int, error) {
	r.status = cmp.Or(r.status, http.StatusOK)
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

func (r *response) Flush() {
	r.status = cmp.Or(r.status, http.StatusOK)
	_ = http.NewResponseController(r.ResponseWriter).Flush()
}

// Unwrap is for http.ResponseController.
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }
