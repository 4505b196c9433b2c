package llm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/llm"
)

// request is what a server was sent.
type request struct {
	Method, Path string
	Header       map[string]string
	Body         any
}

// record keeps the last request and answers with a body.
func record(t *testing.T, got *request, body string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*got = request{Method: r.Method, Path: r.URL.String(), Header: make(map[string]string)}
		for name := range r.Header {
			got.Header[name] = r.Header.Get(name)
		}
		delete(got.Header, "Accept-Encoding") // net/http's own
		delete(got.Header, "Content-Length")
		if err := json.NewDecoder(r.Body).Decode(&got.Body); err != nil {
			t.Error(err)
		}
		reply(w, http.StatusOK, body)
	}))
	t.Cleanup(server.Close)
	return server
}

func TestLLMRequestOpenAI(t *testing.T) {
	var got request
	server := record(t, &got, protocols()[llm.OpenAI])
	for base, path := range map[string]string{"/v1": "/v1/chat/completions", "/v1/": "/v1/chat/completions", "": "/chat/completions", "/a%2Fb/v1": "/a%2Fb/v1/chat/completions"} {
		text, err := newClient(t, "", server.URL+base).Complete(context.Background(), system, user)
		if text != "fine" || err != nil {
			t.Fatalf("Complete = %q, %v", text, err)
		}
		want := request{
			Method: "POST", Path: path,
			Header: map[string]string{"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "engram", "Authorization": "Bearer " + key},
			Body: map[string]any{
				"model": "tiny", "temperature": 0.0, "max_tokens": 700.0,
				"messages": []any{map[string]any{"role": "system", "content": system}, map[string]any{"role": "user", "content": user}},
			},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestLLMRequestAnthropic(t *testing.T) {
	var got request
	server := record(t, &got, protocols()[llm.Anthropic])
	for base, path := range map[string]string{"": "/v1/messages", "/": "/v1/messages", "/v1": "/v1/messages", "/v1/": "/v1/messages", "/proxy": "/proxy/v1/messages", "/v1/proxy/v1": "/v1/proxy/v1/messages"} {
		c := newClientOf(t, llm.Options{Protocol: llm.Anthropic, URL: server.URL + base, MaxTokens: 50})
		text, err := c.Complete(context.Background(), system, user)
		if text != "fine" || err != nil {
			t.Fatalf("Complete = %q, %v", text, err)
		}
		want := request{
			Method: "POST", Path: path,
			Header: map[string]string{"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "engram", "X-Api-Key": key, "Anthropic-Version": "2023-06-01"},
			Body: map[string]any{
				"model": "tiny", "system": system, "max_tokens": 50.0,
				"messages": []any{map[string]any{"role": "user", "content": user}},
			},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestLLMRequestWithoutKey(t *testing.T) {
	for protocol, body := range protocols() {
		var got request
		server := record(t, &got, body)
		c, err := llm.New(llm.Options{Protocol: protocol, URL: server.URL, Model: "tiny"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Complete(context.Background(), "", user); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"Authorization", "X-Api-Key"} {
			if value, there := got.Header[name]; there {
				t.Errorf("%s: %s is %q", protocol, name, value)
			}
		}
	}
}

func TestLLMOverTLS(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, protocols()[llm.OpenAI])
	}))
	defer server.Close()
	c := newClientOf(t, llm.Options{URL: server.URL, HTTP: server.Client()})
	if text, err := c.Complete(context.Background(), system, user); text != "fine" || err != nil {
		t.Errorf("Complete = %q, %v", text, err)
	}
	if server.Client().CheckRedirect != nil {
		t.Error("the client that was given was changed")
	}
}

func TestLLMConcurrent(t *testing.T) {
	url, hits := serve(t, func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, protocols()[llm.OpenAI]) })
	c := newClient(t, llm.OpenAI, url)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for range 8 {
				if text, err := c.Complete(context.Background(), system, user); text != "fine" || err != nil {
					t.Errorf("Complete = %q, %v", text, err)
				}
			}
		})
	}
	group.Wait()
	if hits.Load() != 128 {
		t.Errorf("%d requests arrived, want 128", hits.Load())
	}
}

func TestLLMOptions(t *testing.T) {
	good := llm.Options{URL: "https://host.example/v1", Model: "tiny", Key: key}
	for name, c := range map[string]struct {
		change func(*llm.Options)
		hint   string
	}{
		"no URL":             {func(o *llm.Options) { o.URL = "" }, "give the base"},
		"no scheme":          {func(o *llm.Options) { o.URL = "host.example/v1" }, "give one such as"},
		"port for a scheme":  {func(o *llm.Options) { o.URL = "localhost:11434" }, "give one such as"},
		"other scheme":       {func(o *llm.Options) { o.URL = "ftp://host.example" }, "give one such as"},
		"no host":            {func(o *llm.Options) { o.URL = "https:///v1" }, "give one such as"},
		"port only":          {func(o *llm.Options) { o.URL = "https://:443/v1" }, "give one such as"},
		"unreadable":         {func(o *llm.Options) { o.URL = "https://u:" + key + "@host.example:x/" }, "give one such as"},
		"credentials":        {func(o *llm.Options) { o.URL = "https://u:" + key + "@host.example/" }, "as the key"},
		"query":              {func(o *llm.Options) { o.URL = "https://host.example/?key=" + key }, "alone"},
		"fragment":           {func(o *llm.Options) { o.URL = "https://host.example/#a" }, "alone"},
		"http to a name":     {func(o *llm.Options) { o.URL = "http://host.example/v1" }, "use https"},
		"http to an address": {func(o *llm.Options) { o.URL = "http://192.0.2.1/v1" }, "use https"},
		"http to anywhere":   {func(o *llm.Options) { o.URL = "http://0.0.0.0:80/v1" }, "use https"},
		"http, alike":        {func(o *llm.Options) { o.URL = "http://127.0.0.1.host.example/v1" }, "use https"},
		"http, alike too":    {func(o *llm.Options) { o.URL = "http://localhost.host.example/v1" }, "use https"},
		"no model":           {func(o *llm.Options) { o.Model = " " }, "give the name"},
		"key with a line":    {func(o *llm.Options) { o.Key = key + "\n" }, "bare key"},
		"unknown protocol":   {func(o *llm.Options) { o.Protocol = "gopher" }, "give openai or anthropic"},
		"negative time":      {func(o *llm.Options) { o.Timeout = -1 }, "give 0"},
		"negative tokens":    {func(o *llm.Options) { o.MaxTokens = -1 }, "give 0"},
	} {
		opts := good
		c.change(&opts)
		got, err := llm.New(opts)
		if got != nil || err == nil || !strings.Contains(err.Error(), c.hint) || strings.Contains(err.Error(), key) {
			t.Errorf("%s: New = %v, %v; want an error with %q and without the key", name, got, err, c.hint)
		}
	}
	for _, url := range []string{good.URL, "HTTPS://host.example", "http://localhost:1/v1", "http://LocalHost", "http://127.8.9.1:80", "http://[::1]:80/v1", "http://[::ffff:127.0.0.1]/"} {
		opts := good
		opts.URL = url
		c, err := llm.New(opts)
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		if shown := fmt.Sprintf("%v %+v %s", c, c, c); strings.Contains(shown, key) {
			t.Errorf("the key is in %q", shown)
		}
	}
}
