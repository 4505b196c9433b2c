package web_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"engram/facts"
	"engram/memory"
	"engram/web"
	"engram/web/internal/wire"
)

// openStream opens an event stream and reads its first event.
func openStream(t *testing.T, s *running) *http.Response {
	t.Helper()
	req, err := http.NewRequest("GET", s.url("/mcp"), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "*/*") // which the MCP SDK takes for an event stream
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil || line != "data: hello\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return resp
}

// TestShutdown: a stream ends at once, a call under way gets its answer, and
// nobody is let in any more.
func TestShutdown(t *testing.T) {
	entered, ended := make(chan struct{}), make(chan struct{}, 1)
	s := start(t, web.Options{Streams: []string{"/mcp"}, Limits: web.Limits{Grace: 20 * time.Second}, Routes: map[string]http.Handler{
		"GET /mcp": stream(ended),
		"POST /mcp": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			close(entered)
			<-ended // the stream, so that this call ends after it
			time.Sleep(50 * time.Millisecond)
			if r.Context().Err() != nil {
				t.Error("the call was cancelled within its grace")
			}
			io.WriteString(w, "done")
		}),
	}})
	stream := openStream(t, s)
	defer stream.Body.Close()
	var wg sync.WaitGroup
	wg.Go(func() {
		if a := do(t, "POST", s.url("/mcp"), "{}"); a.status != 200 || a.body != "done" {
			t.Errorf("the call under way: %d %s", a.status, a.body)
		}
	})
	<-entered
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if rest, err := io.ReadAll(stream.Body); err != nil || strings.TrimSpace(string(rest)) != "" {
		t.Errorf("the stream did not end as it should: %q, %v", rest, err)
	}
	if resp, err := http.Get(s.url("/healthz")); err == nil {
		resp.Body.Close()
		t.Error("it still answers")
	}
}

// TestShutdownCancels: a call that takes longer than the grace is cancelled, and
// Serve does not return before it has ended.
func TestShutdownCancels(t *testing.T) {
	entered, gone := make(chan struct{}), make(chan struct{})
	s := start(t, web.Options{Limits: web.Limits{Grace: 50 * time.Millisecond}, Routes: map[string]http.Handler{
		"/mcp": http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(entered)
			<-r.Context().Done()
			time.Sleep(50 * time.Millisecond)
			close(gone)
		}),
	}})
	go func() {
		if resp, err := http.Post(s.url("/mcp"), "", nil); err == nil {
			resp.Body.Close()
		}
	}()
	<-entered
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	select {
	case <-gone:
	default:
		t.Error("Serve returned before the call ended")
	}
}

// TestStreamOutlivesDeadlines: what bounds headers and bodies does not bound
// streams, nor calls that take their time.
func TestStreamOutlivesDeadlines(t *testing.T) {
	const limit = 50 * time.Millisecond
	long := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 8 {
			io.WriteString(w, "data: x\n\n")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-time.After(limit / 2):
			case <-r.Context().Done():
				return
			}
		}
		io.WriteString(w, "end")
	})
	s := start(t, web.Options{Routes: map[string]http.Handler{"/mcp": long}, Limits: web.Limits{HeaderTime: limit, BodyTime: limit}})
	for _, method := range []string{"GET", "POST"} {
		if a := do(t, method, s.url("/mcp"), map[string]string{"POST": "{}"}[method], "Accept", "text/event-stream"); !strings.HasSuffix(a.body, "end") {
			t.Errorf("%s: cut off: %q", method, a.body)
		}
	}
}

// TestPanic: the client learns that engram failed, the log where, and neither
// what of.
func TestPanic(t *testing.T) {
	s := start(t, web.Options{Routes: map[string]http.Handler{
		"/mcp": http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("Sessions live 30 minutes.") }),
		"/half": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "half of ")
			_ = http.NewResponseController(w).Flush()
			panic(errors.New("Sessions live 30 minutes."))
		}),
	}})
	a := do(t, "POST", s.url("/mcp?q=Sessions"), "{}")
	isError(t, "panic", a, 500, "failure")
	if resp, err := http.Get(s.url("/half")); err != nil {
		t.Error(err)
	} else if _, err = io.ReadAll(resp.Body); err == nil {
		t.Error("half an answer looks like a whole one")
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	log := s.log.String()
	if strings.Contains(log+a.body, "Sessions") {
		t.Errorf("the text got out: %s %s", a.body, log)
	}
	if !strings.Contains(log, "level=ERROR msg=panic route=/mcp type=string") || !strings.Contains(log, "TestPanic.func1") {
		t.Errorf("the log does not say where: %s", log)
	}
}

func TestRoutes(t *testing.T) {
	s := start(t, web.Options{Routes: map[string]http.Handler{"/mcp": echo(), "DELETE /engram/{id}": echo()}})
	isError(t, "unknown path", do(t, "GET", s.url("/nowhere"), ""), 404, "usage")
	isError(t, "below", do(t, "GET", s.url("/mcp/x"), ""), 404, "usage")
	a := do(t, "GET", s.url("/engram/01HX"), "")
	isError(t, "wrong method", a, 405, "usage")
	if a.header.Get("Allow") != "DELETE" {
		t.Errorf("Allow: %q", a.header.Get("Allow"))
	}
	isError(t, "health by POST", do(t, "POST", s.url("/healthz"), "{}"), 405, "usage")
	if a := do(t, "DELETE", s.url("/engram/01HX?q=private"), ""); a.status != 200 {
		t.Errorf("%d", a.status)
	}
	a = do(t, "GET", s.url("/mcp"), "")
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
		"Cross-Origin-Resource-Policy": "same-origin", "Referrer-Policy": "no-referrer",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if log := s.log.String(); strings.Contains(log, "01HX") || strings.Contains(log, "private") || !strings.Contains(log, `route="DELETE /engram/{id}"`) {
		t.Errorf("the log: %s", log)
	}
}

func TestHealth(t *testing.T) {
	var asked atomic.Int64
	ready := start(t, web.Options{Ready: func(context.Context) error { asked.Add(1); return nil }})
	for _, path := range []string{"/healthz", "/readyz", "/readyz"} {
		if a := do(t, "GET", ready.url(path), ""); a.status != 200 || a.body != "{\"schema_version\":1,\"status\":\"ok\"}\n" {
			t.Errorf("%s: %d %q", path, a.status, a.body)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("asked %d times within a second", asked.Load())
	}
	s := start(t, web.Options{Ready: func(context.Context) error { return errors.New("the folder of somebody is gone") }})
	a := do(t, "GET", s.url("/readyz"), "")
	isError(t, "not ready", a, 503, "unusable")
	if strings.Contains(a.body, "somebody") {
		t.Errorf("it tells strangers why: %s", a.body)
	}
	if a := do(t, "GET", s.url("/healthz"), ""); a.status != 200 {
		t.Errorf("/healthz: %d", a.status)
	}
}

// TestStatus retypes the table of docs/errors.md.
func TestStatus(t *testing.T) {
	for code, want := range map[memory.Code]int{
		memory.CodeNo: 404, memory.CodeUsage: 400, memory.CodeUnusable: 503, memory.CodeRefused: 403, memory.CodeLost: 409,
		memory.CodeCancelled: 503, memory.CodeFailure: 500, "other": 500,
	} {
		if got := wire.Status(code); got != want {
			t.Errorf("%s: %d, want %d", code, got, want)
		}
	}
	s := start(t, web.Options{Routes: map[string]http.Handler{"/mcp": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wire.WriteError(w, r, &facts.KeyError{})
	})}})
	isError(t, "an error of facts", do(t, "GET", s.url("/mcp"), ""), 400, "usage")
}
