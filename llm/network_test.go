package llm_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"engram/llm"
)

func TestLLMRedirectIsNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		other, arrived := serve(t, func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, protocols()[llm.OpenAI]) })
		url, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			reply(w, status, "", "Location", strings.Replace(other, "127.0.0.1", "localhost", 1))
		})
		for _, own := range []*http.Client{nil, {}, {CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}} {
			err := fail(t, newClientOf(t, llm.Options{URL: url, HTTP: own}))
			if !errors.Is(err, llm.ErrAnswer) || !strings.Contains(err.Error(), "redirect") {
				t.Errorf("err = %v", err)
			}
		}
		if arrived.Load() != 0 {
			t.Errorf("%d: the other host was asked", status)
		}
	}
}

// TestLLMTimeout covers the wait for an answer and for the rest of it.
func TestLLMTimeout(t *testing.T) {
	for name, begin := range map[string]func(http.ResponseWriter){
		"no answer": func(http.ResponseWriter) {},
		"half an answer": func(w http.ResponseWriter) {
			io.WriteString(w, `{"choices":[`)
			w.(http.Flusher).Flush()
		},
	} {
		t.Run(name, func(t *testing.T) {
			over := make(chan struct{})
			url, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { begin(w); <-over })
			t.Cleanup(func() { close(over) })                                        // before the server is closed
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second) // must not matter
			defer cancel()
			_, err := newClientOf(t, llm.Options{URL: url, Timeout: 50 * time.Millisecond}).Complete(ctx, system, user)
			checkPrintable(t, err)
			if !errors.Is(err, llm.ErrUnreachable) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "50ms") {
				t.Errorf("err = %v", err)
			}
		})
	}
}

func TestLLMCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	url, _ := serve(t, func(http.ResponseWriter, *http.Request) { cancel(); <-over })
	t.Cleanup(func() { close(over) })
	c := newClient(t, llm.OpenAI, url)
	for _, when := range []string{"under way", "before"} {
		_, err := c.Complete(ctx, system, user)
		if !errors.Is(err, context.Canceled) || errors.Is(err, llm.ErrUnreachable) {
			t.Errorf("cancelled %s: err = %v", when, err)
		}
		checkPrintable(t, err)
	}
}

func TestLLMCancelledWhileWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	url, hits := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		reply(w, 429, "", "Retry-After", "30")
		time.AfterFunc(20*time.Millisecond, cancel)
	})
	_, err := newClient(t, llm.OpenAI, url).Complete(ctx, system, user)
	if !errors.Is(err, context.Canceled) || hits.Load() != 1 {
		t.Errorf("err = %v after %d requests", err, hits.Load())
	}
}

func TestLLMConnectionRefused(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + listener.Addr().String()
	listener.Close()
	err = fail(t, newClient(t, llm.OpenAI, url))
	if !errors.Is(err, llm.ErrUnreachable) || !errors.Is(err, syscall.ECONNREFUSED) || strings.Contains(err.Error(), url) {
		t.Errorf("err = %v", err)
	}
}

// TestLLMBrokenHTTP has servers that net/http quotes in its errors.
func TestLLMBrokenHTTP(t *testing.T) {
	for _, raw := range []string{"", key + "\r\n\r\n", "HTTP/1.1 " + key + "\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<18) + "\r\n\r\n"} {
		url, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			io.WriteString(conn, raw)
			conn.Close()
		})
		if err := fail(t, newClient(t, llm.OpenAI, url)); !errors.Is(err, llm.ErrUnreachable) {
			t.Errorf("%.40q: err = %v", raw, err)
		}
	}
}
