package llm_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"engram/llm"
)

// canned is a transport that always gives the same answer.
type canned struct {
	status int
	kind   string
	body   string
}

func (c canned) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: c.status, Header: http.Header{"Content-Type": {c.kind}}, Body: io.NopCloser(strings.NewReader(c.body))}, nil
}

func FuzzLLMAnswer(f *testing.F) {
	for _, body := range protocols() {
		f.Add(200, "application/json", body)
	}
	f.Add(401, "application/json", `{"error":{"message":"no `+key+`"}}`)
	f.Add(404, "text/plain; charset=utf-8", "404 \x1b[31m"+user)
	f.Add(429, "", `{"error":"\ud800"}`)
	f.Add(500, "text/html", "<p>")
	f.Add(200, "", `{"choices":[{"message":{"refusal":"\u202e`+system+`"}}]}`)
	f.Add(200, "", `{"content":null,"choices":[null],"error":{"message":1}}`)
	f.Fuzz(func(t *testing.T, status int, kind, body string) {
		for protocol := range protocols() {
			c := newClientOf(t, llm.Options{Protocol: protocol, URL: "https://host.example", HTTP: &http.Client{Transport: canned{status, kind, body}}})
			text, err := c.Complete(context.Background(), system, user)
			switch {
			case err == nil && (strings.TrimSpace(text) == "" || status != 200):
				t.Fatalf("Complete = %q, nil of status %d", text, status)
			case err != nil:
				checkPrintable(t, err)
				if !errors.Is(err, llm.ErrAnswer) && !errors.Is(err, llm.ErrBusy) && !errors.Is(err, llm.ErrRefused) && !errors.Is(err, llm.ErrUnreachable) {
					t.Fatalf("err = %v", err)
				}
			}
		}
	})
}
