package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"engram/memory"
	"engram/web/internal/wire"
)

// headers keep answers out of caches, frames and other pages. CORS headers
// are absent, so a browser shows no answer to a page of another origin.
func (s *Server) headers(w http.ResponseWriter, r *http.Request, next http.Handler) {
	for name, value := range map[string]string{
		"X-Content-Type-Options":       "nosniff",
		"Cache-Control":                "no-store",
		"Content-Security-Policy":      "default-src 'none'; frame-ancestors 'none'",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Referrer-Policy":              "no-referrer",
	} {
		w.Header().Set(name, value)
	}
	next.ServeHTTP(w, r)
}

// muxOf leads requests to handlers. http.ServeMux panics if a pattern is invalid.
func muxOf(handlers map[string]http.Handler) (mux *http.ServeMux, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("route: %v", p)
		}
	}()
	mux = http.NewServeMux()
	for pattern, handler := range handlers {
		mux.Handle(pattern, handler)
	}
	return mux, nil
}

// routes leads a request to its handler.
func (s *Server) routes() (h http.Handler, err error) {
	mux, err := muxOf(s.opts.Routes)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.isOwn(r) {
			wire.NotesOf(r.Context()).Route = "own"
			s.own.ServeHTTP(w, r)
			return
		}
		none, pattern := mux.Handler(r)
		if pattern == "" {
			s.nowhere(w, r, none)
			return
		}
		wire.NotesOf(r.Context()).Route = pattern
		if _, err := url.ParseQuery(r.URL.RawQuery); err != nil {
			s.refuse(w, r, wire.BadQuery(err))
			return
		}
		mux.ServeHTTP(w, r)
	}), nil
}

// nowhere says as JSON what the mux says as text: whether the path is unknown, or
// only its method.
func (s *Server) nowhere(w http.ResponseWriter, r *http.Request, none http.Handler) {
	verdict := &verdict{header: make(http.Header)}
	none.ServeHTTP(verdict, r)
	if verdict.status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", verdict.header.Get("Allow"))
		s.refuse(w, r, wrongMethod())
		return
	}
	var known []string
	for pattern := range s.opts.Routes {
		_, path, found := strings.Cut(pattern, " ")
		if !found {
			path = pattern
		}
		known = append(known, path)
	}
	s.refuse(w, r, wire.NewError(http.StatusNotFound, memory.CodeUsage, "there is nothing at this path", "there is "+joined(known)))
}

func wrongMethod() *wire.Error {
	return wire.NewError(http.StatusMethodNotAllowed, memory.CodeUsage, "this path does not accept that method", "the header Allow lists the accepted ones")
}

// verdict keeps the status of an answer and drops the rest.
type verdict struct {
	header http.Header
	status int
}

func (v *verdict) Header() http.Header         { return v.header }
func (v *verdict) Write(b []byte) (int, error) { return len(b), nil }
func (v *verdict) WriteHeader(status int)      { v.status = status }

// joined lists paths once each, in order.
func joined(paths []string) string {
	paths = append(paths, "/healthz", "/readyz")
	slices.Sort(paths)
	return strings.Join(slices.Compact(paths), ", ")
}
