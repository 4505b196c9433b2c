package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"engram/web"
)

const secret = "0123456789abcdefghij"

// echo answers with what reached it.
func echo() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(w, "agent=%s body=%d", web.AgentOf(r.Context()), len(b))
	})
}

// stream sends an event and then waits for the client or the server to end.
func stream(ended chan<- struct{}) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: hello\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		ended <- struct{}{}
	})
}

// running is a server on a real listener.
type running struct {
	addr string
	log  *lockedBuffer
	stop func() error // ends it and says how
}

func (r *running) url(path string) string { return "http://" + r.addr + path }

// start serves until the test ends.
func start(t *testing.T, opts web.Options) *running {
	t.Helper()
	log := &lockedBuffer{}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	if opts.Routes == nil {
		opts.Routes = map[string]http.Handler{"/mcp": echo()}
	}
	server, err := web.New(&opts)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, l) }()
	stop := sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-done:
			return err
		case <-time.After(20 * time.Second):
			return fmt.Errorf("it does not end")
		}
	})
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return &running{l.Addr().String(), log, stop}
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// raw sends exactly these lines and reads one answer.
func (r *running) raw(t *testing.T, lines ...string) answer {
	t.Helper()
	conn, err := net.Dial("tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, strings.Join(lines, "\r\n")+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	return readAnswer(t, conn)
}

func readAnswer(t *testing.T, conn net.Conn) answer {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return answerOf(t, resp)
}

func answerOf(t *testing.T, resp *http.Response) answer {
	t.Helper()
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(b)}
}

// do sends a request; headers come in pairs.
func do(t *testing.T, method, url, body string, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return answerOf(t, resp)
}

// isError checks the shape of an error, whose fields are typed here by hand.
func isError(t *testing.T, name string, a answer, status int, code string) {
	t.Helper()
	var got map[string]any
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Errorf("%s: %d, no JSON: %q", name, a.status, a.body)
		return
	}
	e, _ := got["error"].(map[string]any)
	if a.status != status || e["code"] != code || got["schema_version"] != 1.0 || len(got) != 2 || len(e) != 3 || e["message"] == "" || e["hint"] == "" {
		t.Errorf("%s: status %d, body %s; want %d %s", name, a.status, a.body, status, code)
	}
	if kind := a.header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("%s: Content-Type %q", name, kind)
	}
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func decoded(t *testing.T, text string) (o map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return o
}
