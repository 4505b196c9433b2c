package web_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"engram/web"
)

func withCancel(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx, cancel
}

// ownAddress is an address of this machine that is not loopback.
func ownAddress(t *testing.T) string {
	t.Helper()
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addrs {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() {
			return ip.IP.String()
		}
	}
	t.Skip("this machine has no other address than loopback")
	return ""
}

func TestBodyLimit(t *testing.T) {
	s := start(t, web.Options{})
	if a := do(t, "POST", s.url("/mcp"), strings.Repeat("x", web.DefaultBody)); a.status != 200 || a.body != fmt.Sprintf("agent= body=%d", web.DefaultBody) {
		t.Errorf("the largest body: %d %s", a.status, a.body)
	}
	isError(t, "5 MB", do(t, "POST", s.url("/mcp"), strings.Repeat("x", 5<<20)), 413, "usage")
	// One that does not say how long it is.
	req, err := http.NewRequest("POST", s.url("/mcp"), io.MultiReader(strings.NewReader(strings.Repeat("x", 5<<20))))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	isError(t, "5 MB in chunks", answerOf(t, resp), 413, "usage")
	// A length that is a lie costs nothing: no byte of it is waited for.
	isError(t, "a terabyte", s.raw(t, "POST /mcp HTTP/1.1", "Host: localhost", "Content-Length: 1099511627776"), 413, "usage")
}

// TestSlowSenders: neither a header nor a body may take its time, and a
// connection that says nothing is closed.
func TestSlowSenders(t *testing.T) {
	const limit = 200 * time.Millisecond
	s := start(t, web.Options{Limits: web.Limits{HeaderTime: limit, BodyTime: limit}})
	for name, text := range map[string]string{
		"nothing":       "",
		"half a header": "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: ",
		"half a body":   "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc",
	} {
		conn, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		began := time.Now()
		if err := conn.SetDeadline(began.Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		go func() { // it never stops sending, a byte at a time
			for {
				select {
				case <-stop:
					return
				case <-time.After(limit / 10):
					if text != "" {
						_, _ = conn.Write([]byte("x"))
					}
				}
			}
		}()
		b, err := io.ReadAll(conn)
		close(stop)
		if e, ok := err.(net.Error); ok && e.Timeout() || time.Since(began) < limit/2 {
			t.Errorf("%s: after %s: %q, %v", name, time.Since(began), b, err)
		}
		if strings.HasSuffix(name, "body") && !strings.Contains(string(b), " 408 ") {
			t.Errorf("%s: %q", name, b)
		}
	}
	if a := do(t, "POST", s.url("/mcp"), "{}"); a.status != 200 {
		t.Errorf("afterwards: %d", a.status)
	}
}

// TestConcurrentRequests: 200 at once all get their answer, and never more than
// the limit are under way.
func TestConcurrentRequests(t *testing.T) {
	const limit = 8
	var now, most atomic.Int64
	slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for {
			m := most.Load()
			if n <= m || most.CompareAndSwap(m, n) {
				break
			}
		}
		time.Sleep(5 * time.Millisecond)
		io.WriteString(w, "done")
	})
	s := start(t, web.Options{Routes: map[string]http.Handler{"/mcp": slow}, Limits: web.Limits{Calls: limit, Patience: 20 * time.Second}})
	var wg sync.WaitGroup
	for range 200 {
		wg.Go(func() {
			if a := do(t, "POST", s.url("/mcp"), "{}"); a.status != 200 || a.body != "done" {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}
	wg.Wait()
	if most.Load() > limit || most.Load() < 2 {
		t.Errorf("%d were under way at once; the limit is %d", most.Load(), limit)
	}
}

// TestNoPlace: who cannot be served soon is told so, and streams take no places
// of calls.
func TestNoPlace(t *testing.T) {
	release, entered, ended := make(chan struct{}), make(chan struct{}), make(chan struct{}, 2)
	s := start(t, web.Options{Streams: []string{"/mcp"}, Limits: web.Limits{Calls: 1, Streams: 1, Patience: 20 * time.Millisecond}, Routes: map[string]http.Handler{
		"GET /mcp":   stream(ended),
		"POST /mcp":  echo(),
		"POST /slow": http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(entered); <-release }),
	}})
	first := openStream(t, s)
	isError(t, "a second stream", do(t, "GET", s.url("/mcp"), "", "Accept", "text/event-stream"), 503, "lost")
	if a := do(t, "POST", s.url("/mcp"), "{}"); a.status != 200 {
		t.Errorf("a call beside a stream: %d %s", a.status, a.body)
	}
	var wg sync.WaitGroup
	wg.Go(func() { do(t, "POST", s.url("/slow"), "{}") })
	<-entered
	a := do(t, "POST", s.url("/mcp"), "{}")
	isError(t, "a second call", a, 503, "lost")
	if a.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After: %q", a.header.Get("Retry-After"))
	}
	close(release)
	wg.Wait()
	first.Body.Close()
	<-ended // a client that goes away ends its stream
}

// TestConnectionLimit: one connection too many waits for another to end.
func TestConnectionLimit(t *testing.T) {
	s := start(t, web.Options{Limits: web.Limits{Connections: 1}})
	first, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	request := "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
	io.WriteString(first, request)
	if a := readAnswer(t, first); a.status != 200 {
		t.Fatal(a)
	}
	second, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	io.WriteString(second, request)
	if err := second.SetReadDeadline(time.Now().Add(200 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, err := second.Read(make([]byte, 1)); n != 0 {
		t.Errorf("it was let in beside the first: %v", err)
	}
	first.Close()
	if err := second.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if a := readAnswer(t, second); a.status != 200 {
		t.Errorf("after the first: %d", a.status)
	}
}

func TestRate(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	r := web.NewRates(10)
	for i := range 10 * web.SavedUp {
		if wait, ok := r.Take("a", now); wait != 0 || !ok {
			t.Fatalf("request %d: %s %v", i, wait, ok)
		}
	}
	if wait, ok := r.Take("a", now); wait != 100*time.Millisecond || !ok {
		t.Errorf("one too many: %s %v", wait, ok)
	}
	for range 9 {
		r.Take("a", now)
	}
	if wait, ok := r.Take("a", now); ok || wait <= web.Paced {
		t.Errorf("far too many: %s %v", wait, ok)
	}
	if wait, ok := r.Take("b", now); wait != 0 || !ok {
		t.Errorf("another client: %s %v", wait, ok)
	}
	if _, ok := r.Take("a", now.Add(100*time.Millisecond)); !ok {
		t.Error("it does not recover")
	}
	for i := range 2 * web.MaxCounts {
		r.Take(fmt.Sprint(i), now)
	}
	if n := r.Counted(); n > web.MaxCounts+1 {
		t.Errorf("%d clients are counted", n)
	}
	if wait, ok := r.Take("new", now.Add(time.Hour)); wait != 0 || !ok || r.Counted() > 2 {
		t.Errorf("an hour later: %s %v, %d counted", wait, ok, r.Counted())
	}
}

// TestTooFast: wrong tokens are slowed down as well, and one client's rate is not
// another's.
func TestTooFast(t *testing.T) {
	s := start(t, web.Options{Tokens: []web.Token{{Secret: secret}}, Limits: web.Limits{Rate: 1}})
	for range web.SavedUp {
		isError(t, "a guess", do(t, "POST", s.url("/mcp"), "{}", "Authorization", "Bearer guess"), 401, "refused")
	}
	var wg sync.WaitGroup
	var refused atomic.Int64
	for range 4 {
		wg.Go(func() {
			if do(t, "POST", s.url("/mcp"), "{}", "Authorization", "Bearer guess").status == 429 {
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	if refused.Load() < 2 {
		t.Errorf("%d of 4 were refused", refused.Load())
	}
	if a := do(t, "POST", s.url("/mcp"), "{}", "Authorization", "Bearer "+secret); a.status != 200 {
		t.Errorf("who has a token: %d %s", a.status, a.body)
	}
}

// TestSlowBodiesOfOne: who sends slowly, on every place that there is, keeps nobody else
// waiting, and gets no more places than that.
func TestSlowBodiesOfOne(t *testing.T) {
	const most = 4
	s := start(t, web.Options{
		Tokens: []web.Token{{Agent: "slow", Secret: secret}, {Agent: "other", Secret: "x" + secret}},
		Limits: web.Limits{Calls: most, Patience: 50 * time.Millisecond, BodyTime: 20 * time.Second},
	})
	header := []string{"POST /mcp HTTP/1.1", "Host: localhost", "Authorization: Bearer " + secret, "Content-Length: 3"}
	var conns []net.Conn
	for range most {
		conn, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, strings.Join(header, "\r\n")+"\r\n\r\na"); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	deadline := time.Now().Add(20 * time.Second)
	for do(t, "POST", s.url("/mcp"), "{}", "Authorization", "Bearer "+secret).status != 503 {
		if time.Now().After(deadline) {
			t.Fatal("it gets places without end")
		}
	}
	for range 2 * most {
		if a := do(t, "POST", s.url("/mcp"), "{}", "Authorization", "Bearer x"+secret); a.status != 200 {
			t.Fatalf("another waits for it: %d %s", a.status, a.body)
		}
	}
	for _, conn := range conns {
		if err := conn.SetDeadline(deadline); err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, "bc")
		if a := readAnswer(t, conn); a.status != 200 {
			t.Errorf("once it is there: %d %s", a.status, a.body)
		}
	}
	if a := do(t, "POST", s.url("/mcp"), "{}", "Authorization", "Bearer "+secret); a.status != 200 {
		t.Errorf("afterwards: %d %s", a.status, a.body)
	}
}
