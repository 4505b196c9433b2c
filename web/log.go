package web

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"time"

	"engram/memory"
)

// notes are what is logged of a request. What it asked, and of which fact, is not
// among them: the path and the query may tell, the route does not.
type notes struct {
	route   string
	caller  caller
	failure error // of which the client is not told
}

type notesKey struct{}

func note(ctx context.Context) *notes {
	if n, ok := ctx.Value(notesKey{}).(*notes); ok {
		return n
	}
	return &notes{}
}

// logged counts and logs requests.
func (s *Server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.active.Add(1)
		defer s.active.Add(-1)
		began, n, out := time.Now(), &notes{route: "none"}, &response{ResponseWriter: w}
		defer func() {
			if n.failure != nil {
				code, _ := memory.Classify(n.failure)
				s.opts.Logger.WarnContext(r.Context(), "failed", "route", n.route, "code", code, "error", fmt.Sprintf("%.300s", n.failure))
			}
			s.opts.Logger.DebugContext(r.Context(), "request", "method", method(r), "route", n.route, "status", out.status,
				"bytes", out.bytes, "client", n.caller.name, "agent", n.caller.agent, "took", time.Since(began))
		}()
		next.ServeHTTP(out, r.WithContext(context.WithValue(r.Context(), notesKey{}, n)))
	})
}

// method is the method where it is one that there is; any text can be sent as one.
func method(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodHead, http.MethodPut, http.MethodPatch, http.MethodOptions:
		return r.Method
	}
	return "other"
}

// recovered answers for a handler that panics. What it panicked with may quote a
// fact, so that only its type and the places in the source are logged.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler {
				panic(p)
			}
			s.opts.Logger.ErrorContext(r.Context(), "panic", "route", note(r.Context()).route, "type", fmt.Sprintf("%T", p), "at", whereItPanicked())
			if out, ok := w.(*response); ok && out.status != 0 {
				panic(http.ErrAbortHandler) // half an answer must not look like a whole one
			}
			WriteError(w, &Error{http.StatusInternalServerError, memory.CodeFailure, "engram failed", "this is a fault of engram; its log says where"})
		}()
		next.ServeHTTP(w, r)
	})
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
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

func (r *response) Flush() {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	_ = http.NewResponseController(r.ResponseWriter).Flush()
}

// Unwrap is for http.ResponseController.
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }
