package llm_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"engram/llm"
)

const (
	key    = "sk-test-0123456789abcdef"
	system = "You judge whether two claims about a codebase contradict each other."
	user   = "The rate limit of the payments service is 60 requests per minute."
)

// protocols are a good answer of each protocol, saying "fine".
func protocols() map[llm.Protocol]string {
	return map[llm.Protocol]string{
		llm.OpenAI:    `{"choices":[{"message":{"role":"assistant","content":"fine","refusal":null},"finish_reason":"stop"}]}`,
		llm.Anthropic: `{"type":"message","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"fi"},{"type":"text","text":"ne"}],"stop_reason":"end_turn"}`,
	}
}

// serve starts a server on loopback and counts the requests whose body it read.
func serve(t testing.TB, handle http.HandlerFunc) (url string, hits *atomic.Int32) {
	t.Helper()
	hits = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
		handle(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, hits
}

// reply answers with a status, headers in pairs, and a body.
func reply(w http.ResponseWriter, status int, body string, headers ...string) {
	w.Header().Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		w.Header().Set(headers[i], headers[i+1])
	}
	w.WriteHeader(status)
	io.WriteString(w, body)
}

// newClient makes a client that gives up after a time that no test needs.
func newClient(t testing.TB, protocol llm.Protocol, url string) *llm.Client {
	t.Helper()
	return newClientOf(t, llm.Options{Protocol: protocol, URL: url, Timeout: time.Minute})
}

func newClientOf(t testing.TB, opts llm.Options) *llm.Client {
	t.Helper()
	opts.Model, opts.Key = "tiny", key
	c, err := llm.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fail asks and returns the error, which must be fit to be printed.
func fail(t testing.TB, c *llm.Client) error {
	t.Helper()
	text, err := c.Complete(context.Background(), system, user)
	if err == nil || text != "" {
		t.Fatalf("Complete = %q, %v; want an error", text, err)
	}
	checkPrintable(t, err)
	return err
}

// checkPrintable verifies what holds for every error.
func checkPrintable(t testing.TB, err error) {
	t.Helper()
	shown := err.Error()
	for _, secret := range []string{key[:12], key[len(key)-12:], system[:24], user[:24], user[len(user)-24:]} {
		if strings.Contains(shown, secret) {
			t.Errorf("the error repeats what was sent: %q", shown)
		}
	}
	if strings.ContainsFunc(shown, unicode.IsControl) || !utf8.ValidString(shown) || utf8.RuneCountInString(shown) > 300 {
		t.Errorf("the error is not fit to be printed: %q", shown)
	}
	if detailed := fmt.Sprintf("%+v", err); strings.Contains(detailed, key) {
		t.Errorf("the error has the key in it: %s", detailed)
	}
}
