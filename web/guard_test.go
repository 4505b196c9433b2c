package web_test

import (
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"

	"engram/web"
)

// TestHost: what a request may call this machine.
func TestHost(t *testing.T) {
	s := start(t, web.Options{AllowedHosts: []string{"Memory.example", "10.1.2.3:80"}, Tokens: []web.Token{{Secret: secret}}})
	_, port, _ := net.SplitHostPort(s.addr)
	for host, want := range map[string]int{
		"127.0.0.1:" + port: 200, "127.0.0.1": 200, "127.9.9.9": 200, "localhost:" + port: 200, "LOCALHOST": 200, "localhost.": 200,
		"[::1]:" + port: 200, "[::1]": 200, "[::ffff:127.0.0.1]:80": 200,
		"memory.example": 200, "MEMORY.example:443": 200, "10.1.2.3": 200,
		"evil.example": 403, "evil.example:" + port: 403, "localhost.evil.example": 403, "127.0.0.1.evil.example": 403, "evil.localhost": 403,
		"0.0.0.0": 403, "10.1.2.4": 403, "2130706433": 403, "0x7f000001": 403, "127.1": 403, "[::2]": 403, "": 403, "[::1": 403,
		"sub.memory.example": 403, "localhost:x": 403, "localhost:": 403, "[fe80::1%25lo]": 403,
	} {
		a := s.raw(t, "GET /mcp HTTP/1.1", "Host: "+host, "Authorization: Bearer "+secret, "Connection: close")
		if a.status != want && !(want == 403 && a.status == 400) { // net/http refuses some by itself
			t.Errorf("Host %q: %d %s, want %d", host, a.status, a.body, want)
		}
		if a.status == 403 {
			isError(t, host, a, 403, "refused")
		}
	}
	// HTTP/1.0 needs no Host; the path may carry one, and that is the one that counts.
	isError(t, "no host", s.raw(t, "GET /mcp HTTP/1.0", "Authorization: Bearer "+secret), 403, "refused")
	isError(t, "absolute", s.raw(t, "GET http://evil.example/mcp HTTP/1.1", "Host: localhost", "Connection: close"), 403, "refused")
	isError(t, "health", s.raw(t, "GET /healthz HTTP/1.1", "Host: evil.example", "Connection: close"), 403, "refused")
}

// TestOrigin: which web pages may speak.
func TestOrigin(t *testing.T) {
	s := start(t, web.Options{AllowedOrigins: []string{"https://Memory.example/", "http://app.example:8080"}, Tokens: []web.Token{{Secret: secret}}})
	for origin, want := range map[string]int{
		"http://localhost:3000": 200, "http://127.0.0.1": 200, "https://[::1]:8443": 200, "https://localhost": 200,
		"https://memory.example": 200, "http://app.example:8080": 200, "HTTPS://MEMORY.EXAMPLE": 200,
		"null": 403, "": 403, "http://memory.example": 403, "https://memory.example:444": 403, "http://app.example": 403,
		"https://evil.example": 403, "http://localhost.evil.example": 403, "http://localhost@evil.example": 403, "file://localhost": 403,
		"chrome-extension://abc": 403, "http://localhost/x": 403, "localhost": 403, "*": 403,
	} {
		a := do(t, "POST", s.url("/mcp"), "{}", "Origin", origin, "Authorization", "Bearer "+secret)
		if a.status != want {
			t.Errorf("Origin %q: %d %s, want %d", origin, a.status, a.body, want)
		}
		for name := range a.header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("Origin %q: there is %s", origin, name)
			}
		}
	}
	isError(t, "two origins", do(t, "POST", s.url("/mcp"), "{}", "Origin", "http://localhost", "Origin", "https://evil.example", "Authorization", "Bearer "+secret), 403, "refused")
}

// TestToken: whom a request needs to be from.
func TestToken(t *testing.T) {
	other := "another-token-of-codex"
	s := start(t, web.Options{Tokens: []web.Token{{Secret: secret}, {Agent: "codex", Secret: other}}})
	for header, want := range map[string]string{
		"Bearer " + secret: "agent= body=2", "bearer " + secret: "agent= body=2", "Bearer  " + other: "agent=codex body=2",
		"Bearer " + secret + "x": "", "Bearer " + secret[:19]: "", "Bearer": "", "Bearer ": "", secret: "", "Basic " + secret: "", "Token " + other: "",
		"Bearer " + strings.ToUpper(secret): "", "Bearer " + secret + " " + other: "",
	} {
		a := do(t, "POST", s.url("/mcp"), "{}", "Authorization", header)
		if want != "" && (a.status != 200 || a.body != want) {
			t.Errorf("%q: %d %s, want %s", header, a.status, a.body, want)
		}
		if want == "" {
			isError(t, header, a, 401, "refused")
			if got := a.header.Get("WWW-Authenticate"); !strings.Contains(got, `Bearer realm="engram"`) || !strings.Contains(got, "invalid_token") {
				t.Errorf("%q: WWW-Authenticate: %q", header, got)
			}
		}
	}
	isError(t, "none", do(t, "POST", s.url("/mcp"), "{}"), 401, "refused")
	isError(t, "two", do(t, "POST", s.url("/mcp"), "{}", "Authorization", "Bearer "+secret, "Authorization", "Bearer "+other), 401, "refused")
	isError(t, "unknown path", do(t, "GET", s.url("/nowhere"), ""), 401, "refused")
	if a := do(t, "GET", s.url("/healthz"), ""); a.status != 200 {
		t.Errorf("/healthz without a token: %d", a.status)
	}
	if log := s.log.String(); strings.Contains(log, secret[:19]) || strings.Contains(log, other) || !strings.Contains(log, "agent=codex") {
		t.Errorf("the log has a token, or not the agent: %s", log)
	}
	open := start(t, web.Options{})
	if a := do(t, "POST", open.url("/mcp"), "{}", "Authorization", "Bearer whatever"); a.status != 200 || a.body != "agent= body=2" {
		t.Errorf("without tokens: %d %s", a.status, a.body)
	}
}

// TestTokenRequired: no listener that others reach is opened without a token.
func TestTokenRequired(t *testing.T) {
	for name, c := range map[string]struct {
		listen string
		opts   web.Options
		want   error
	}{
		"everywhere":                 {"0.0.0.0:0", web.Options{}, web.ErrTokenRequired},
		"loopback, allowed host":     {"127.0.0.1:0", web.Options{AllowedHosts: []string{"memory.example"}}, web.ErrTokenRequired},
		"loopback, allowed origin":   {"127.0.0.1:0", web.Options{AllowedOrigins: []string{"https://memory.example"}}, web.ErrTokenRequired},
		"loopback allowed by itself": {"127.0.0.1:0", web.Options{AllowedHosts: []string{"localhost"}, AllowedOrigins: []string{"http://127.0.0.1:3000"}}, nil},
		"everywhere with a token":    {"0.0.0.0:0", web.Options{Tokens: []web.Token{{Secret: secret}}}, nil},
	} {
		server, err := web.New(&c.opts)
		if err != nil {
			t.Fatal(err)
		}
		l, err := net.Listen("tcp", c.listen)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := withCancel(t)
		cancel() // it ends at once where it starts
		if err := server.Serve(ctx, l); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if conn, err := net.Dial("tcp", l.Addr().String()); err == nil {
			conn.Close()
			t.Errorf("%s: the listener is still open", name)
		}
	}
}

// TestOwnAddress: where it listens everywhere, the address that was connected to
// needs no naming; a name does.
func TestOwnAddress(t *testing.T) {
	server, err := web.New(&web.Options{Routes: map[string]http.Handler{"/mcp": echo()}, Tokens: []web.Token{{Secret: secret}}})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	own := ownAddress(t)
	_, port, _ := net.SplitHostPort(l.Addr().String())
	ctx, cancel := withCancel(t)
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, l) }()
	s := &running{addr: net.JoinHostPort(own, port)}
	if a := do(t, "POST", s.url("/mcp"), "{}", "Authorization", "Bearer "+secret); a.status != 200 {
		t.Errorf("by its address: %d %s", a.status, a.body)
	}
	isError(t, "another address", s.raw(t, "GET /mcp HTTP/1.1", "Host: 192.0.2.1", "Connection: close"), 403, "refused")
	isError(t, "no token", do(t, "POST", s.url("/mcp"), "{}"), 401, "refused")
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestBadOptions(t *testing.T) {
	for name, opts := range map[string]web.Options{
		"host with a path":   {AllowedHosts: []string{"memory.example/x"}},
		"any host":           {AllowedHosts: []string{"*"}},
		"empty host":         {AllowedHosts: []string{""}},
		"null":               {AllowedOrigins: []string{"null"}},
		"any origin":         {AllowedOrigins: []string{"*"}},
		"any origin below":   {AllowedOrigins: []string{"https://*.example"}},
		"origin with a path": {AllowedOrigins: []string{"https://memory.example/app"}},
		"short token":        {Tokens: []web.Token{{Secret: "hunter2hunter2"}}},
		"token with a space": {Tokens: []web.Token{{Secret: "hunter2 hunter2 hunter2"}}},
		"same token twice":   {Tokens: []web.Token{{Secret: "hunter2hunter2hunter2"}, {Agent: "b", Secret: "hunter2hunter2hunter2"}}},
		"no pattern":         {Routes: map[string]http.Handler{"mcp x y": echo()}},
	} {
		_, err := web.New(&opts)
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParseTokens(t *testing.T) {
	tokens, err := web.ParseTokens([]byte("# who\n\n  " + secret + "\r\nclaude\tanother-token-of-claude  \n #x\n"))
	if err != nil || len(tokens) != 2 || tokens[0] != (web.Token{Secret: secret}) || tokens[1] != (web.Token{Agent: "claude", Secret: "another-token-of-claude"}) {
		t.Errorf("%d tokens, %v", len(tokens), err)
	}
	for text, want := range map[string]string{
		"\nclaude x " + secret:                  "line 2: is neither",
		"claude hunter2":                        "line 1: a token has 16 to 512",
		"hunter2hunter2hunter2é":                "line 1: a token is made of",
		"a\x1b[31m " + secret:                   "line 1: the agent's name",
		strings.Repeat("x", 513):                "line 1: a token has",
		strings.Repeat("x", 1<<17):              "a line is too long",
		"\xff\xfe " + secret:                    "line 1: the agent's name",
		strings.Repeat("é", 201) + " " + secret: "line 1: the agent's name",
	} {
		_, err := web.ParseTokens([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), secret) {
			t.Errorf("%.30q: %v, want %s", text, err, want)
		}
	}
}

// TestOwnHandlersNeedNoToken: what decides for itself who may speak is asked without a token, and
// the guards before that stand.
func TestOwnHandlersNeedNoToken(t *testing.T) {
	s := start(t, web.Options{Own: map[string]http.Handler{"/pages/": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })}, Tokens: []web.Token{{Secret: secret}}})
	for path, want := range map[string]int{"/pages/": http.StatusTeapot, "/pages/a/b": http.StatusTeapot, "/pages": http.StatusTemporaryRedirect, "/mcp": http.StatusUnauthorized, "/other": http.StatusUnauthorized} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url(path), nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, r.StatusCode, want)
		}
		req.Host = "evil.example"
		if r, err = http.DefaultTransport.RoundTrip(req); err != nil {
			t.Fatal(err)
		}
		_ = r.Body.Close()
		if r.StatusCode != http.StatusForbidden {
			t.Errorf("%s of another host: %d", path, r.StatusCode)
		}
	}
}

// TestTokenOf: a token says whose it is, and whether people may write with it.
func TestTokenOf(t *testing.T) {
	tokens, err := web.ParseTokens([]byte("a-token-of-somebody\nada a-token-of-ada-123 write\n# no\n"))
	if err != nil {
		t.Fatal(err)
	}
	of, err := web.TokenOf(tokens)
	if err != nil {
		t.Fatal(err)
	}
	for secret, want := range map[string]struct {
		agent           string
		mayWrite, known bool
	}{"a-token-of-somebody": {"", false, true}, "a-token-of-ada-123": {"ada", true, true}, "another-token-1234": {}, "": {}} {
		if agent, mayWrite, ok := of(secret); agent != want.agent || mayWrite != want.mayWrite || ok != want.known {
			t.Errorf("%q: %q %v %v", secret, agent, mayWrite, ok)
		}
	}
}
