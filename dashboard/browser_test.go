package dashboard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"engram/dashboard"
	"engram/memory"
)

// chromium is the browser of this machine; the test is skipped if there is none.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if err := exec.CommandContext(t.Context(), path, "--version").Run(); err == nil { // else it is just being installed
			return path
		}
	}
	t.Skip("no browser is installed: chromium or google-chrome on the PATH")
	return ""
}

// window is a tab of a real browser that is logged in, and what its console said.
type window struct {
	t    *testing.T
	ctx  context.Context
	url  string
	mu   sync.Mutex
	said []string
}

// open starts a browser and opens the link.
func open(t *testing.T, url string) *window {
	t.Helper()
	w := tab(t)
	w.url = url
	w.do(chromedp.Navigate(url+dashboard.Root+"/?token="+link), chromedp.WaitVisible("#page"))
	return w
}

// tab is a tab of a new browser.
func tab(t *testing.T) *window {
	t.Helper()
	// Without a folder given, a browser has a temporary one that is removed after its processes.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.WSURLReadTimeout(2*time.Minute)) // a busy machine starts a browser slowly
	browser, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	w := &window{t: t}
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(func() {
		cancel()
		chromedp.FromContext(ctx).Allocator.Wait()
	})
	w.listen(ctx)
	w.do(log.Enable())
	return w
}

// another is a second window of the same browser.
func (w *window) another() *window {
	w.t.Helper()
	other := &window{t: w.t, url: w.url}
	ctx, cancel := chromedp.NewContext(w.ctx)
	w.t.Cleanup(cancel)
	other.listen(ctx)
	other.do(log.Enable())
	return other
}

func (w *window) listen(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	w.t.Cleanup(cancel)
	w.ctx = ctx
	chromedp.ListenTarget(ctx, func(event any) {
		w.mu.Lock()
		defer w.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			w.said = append(w.said, e.ExceptionDetails.Error())
		case *log.EventEntryAdded: // reports of the Content-Security-Policy among them
			w.said = append(w.said, string(e.Entry.Level)+": "+e.Entry.Text+" "+e.Entry.URL)
		}
	})
}

func (w *window) do(actions ...chromedp.Action) {
	w.t.Helper()
	if err := chromedp.Run(w.ctx, actions...); err != nil {
		w.t.Fatal(err)
	}
}

func (w *window) visit(path string) {
	w.t.Helper()
	w.do(chromedp.Navigate(w.url+dashboard.Root+path), chromedp.WaitVisible("#page"))
}

// shows waits until the page has a text.
func (w *window) shows(text string) {
	w.t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		w.t.Fatal(err)
	}
	found := false
	for deadline := time.Now().Add(time.Minute); !found && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		err = chromedp.Run(w.ctx, chromedp.Evaluate("document.body.innerText.includes("+string(quoted)+")", &found)) // fails while another page is loaded
	}
	if !found {
		var page string
		_ = chromedp.Run(w.ctx, chromedp.Text("body", &page))
		w.t.Fatalf("the page lacks %q (%v):\n%s", text, err, page)
	}
}

// quiet fails if the console said anything.
func (w *window) quiet(where string) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, line := range w.said {
		w.t.Errorf("%s: the console says %s", where, line)
	}
	w.said = nil
}

// accessible fails if the page breaks WCAG 2.2 AA as far as axe-core can tell, or is wider than the window.
func (w *window) accessible(where string) {
	w.t.Helper()
	axe, err := os.ReadFile("testdata/axe-4.14.1.min.js")
	if err != nil {
		w.t.Fatal(err)
	}
	var wide bool
	var found []struct {
		ID    string   `json:"id"`
		Help  string   `json:"help"`
		Where []string `json:"where"`
	}
	const check = `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}).then(r =>
		r.violations.map(v => ({id: v.id, help: v.help, where: v.nodes.slice(0, 3).map(n => n.html)})))`
	await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	w.do(chromedp.Evaluate("document.documentElement.scrollWidth > innerWidth", &wide), chromedp.Evaluate(string(axe)+";0", nil), chromedp.Evaluate(check, &found, await))
	for _, v := range found {
		w.t.Errorf("%s: %s: %s\n%s", where, v.ID, v.Help, strings.Join(v.Where, "\n"))
	}
	if wide {
		w.t.Errorf("%s: wider than the window", where)
	}
}

// lively is a memory with something on every page.
func lively(t *testing.T) (m *memory.Memory, url string) {
	t.Helper()
	m, url = server(t, nil)
	if err := os.WriteFile(filepath.Join(m.WorkTree(), "limit.go"), []byte("package limit\n\n// PerMinute is how many requests a key has.\nconst PerMinute = 100\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	commit(t, m.WorkTree())
	for _, in := range []memory.CommitInput{
		{Claim: "The API allows 100 requests a minute per key.", Key: "domain/api/limit", Scope: "api/limits", Agent: "claude", Pointers: []memory.Pointer{{Ref: "limit.go:4"}}},
		{Claim: "Sessions live 30 minutes, sliding.", Key: "domain/auth/session", Scope: "auth/session", Agent: "codex"},
		{Claim: "Sessions live 45 minutes, sliding.", Key: "domain/auth/session", Scope: "auth/session", Agent: "codex", Operation: "update"},
		{Claim: "The gateway listens on port 8443.", Key: "domain/infra/gateway", Scope: "infra", Agent: "claude"},
		{Claim: "The gateway listens on port 9443.", Key: "domain/infra/port", Scope: "infra", Agent: "codex"},
		{Claim: "Refunds must never be retried because the bank books them twice.", Key: "architecture/refunds/retries", Scope: "payments", Kind: "constraint"},
		{Claim: "The staging database is reset every night.", Key: "domain/infra/staging", Scope: "infra/staging", TTL: "P7D", Agent: "gemini"},
		{Claim: `<script>alert("x")</script><img src=x onerror=alert(1)>`, Key: "domain/odd/html", Scope: "odd"},
		{Claim: strings.Repeat("w", 500), Key: "domain/odd/long", Scope: "odd"},
	} {
		if _, err := m.Commit(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Audit(t.Context(), memory.AuditInput{}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tax.jsonl")
	text := `{"type":"user","sessionId":"tax-1","cwd":"/shop","uuid":"1","timestamp":"2026-04-30T10:00:01Z","message":{"role":"user","content":"Round the tax half up."}}
{"type":"assistant","sessionId":"tax-1","uuid":"2","timestamp":"2026-04-30T10:00:02Z","message":{"role":"assistant","content":[{"type":"text","text":"We chose half up over half even because the invoices do."},{"type":"tool_use","id":"a","name":"Bash","input":{"command":"make"}}]}}
{"type":"user","sessionId":"tax-1","uuid":"3","timestamp":"2026-04-30T10:00:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]}}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := m.ImportSessions(t.Context(), memory.ImportSessionsInput{Files: []string{file}}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Consolidate(t.Context(), memory.ConsolidateInput{}); err != nil {
		t.Fatal(err)
	}
	return m, url
}

// conflictOf is the id of the only open conflict.
func conflictOf(t *testing.T, m *memory.Memory) string {
	t.Helper()
	got, err := m.Conflicts(t.Context(), memory.ConflictsInput{})
	if err != nil || len(got.Conflicts) != 1 {
		t.Fatalf("%d conflicts, %v", len(got.Conflicts), err)
	}
	return got.Conflicts[0].ConflictID
}

// TestEveryPageInABrowser: no page says anything to the console, breaks WCAG 2.2 AA as far as
// axe-core can tell, or is wider than a telephone; light and dark.
func TestEveryPageInABrowser(t *testing.T) {
	m, url := lively(t)
	w := open(t, url)
	pages := []string{
		"/facts", "/facts?q=gateway", "/facts?scope=infra", "/facts/domain/api/limit", "/facts/domain/auth/session", "/facts/domain/odd/long", "/timeline", "/agents", "/map",
		"/conflicts", "/conflicts/" + conflictOf(t, m), "/review", "/sessions", "/sessions/tax-1", "/bus", "/expiring", "/health",
	}
	for _, look := range []struct {
		theme string
		width int64
	}{{"light", 1280}, {"dark", 1280}, {"light", 360}, {"dark", 360}, {"light", 1920}, {"dark", 1920}} {
		w.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.theme}}),
			emulation.SetDeviceMetricsOverride(look.width, 900, 1, look.width < 500))
		for _, page := range pages {
			w.visit(page)
			w.quiet(page)
			w.accessible(fmt.Sprintf("%s, %s, %d px", page, look.theme, look.width))
		}
	}
	w.visit("/nowhere")
	w.shows("This could not be shown")
}

// TestWindowsSeeEachOther: a conflict that one window settles is settled in the other without
// loading it again; search answers while somebody types; keys move.
func TestWindowsSeeEachOther(t *testing.T) {
	m, url := lively(t)
	w := open(t, url)
	other := w.another()
	other.visit("/conflicts")
	other.shows("8443 here, 9443 there")
	w.visit("/conflicts")
	w.do(chromedp.KeyEvent("j"), chromedp.KeyEvent("\r"), chromedp.WaitVisible("#reason"))
	w.do(chromedp.SendKeys("#reason", "moved in March"), chromedp.Click(`button[value="b"]`))
	w.shows("The conflict is settled")
	w.shows("moved in March")
	other.shows("No open conflicts")

	w.visit("/facts")
	w.do(chromedp.KeyEvent("/"), chromedp.SendKeys("#q", "how long do sessions live"))
	w.shows("2 facts match")
	var address string
	w.do(chromedp.Location(&address))
	if !strings.Contains(address, "how%20long") {
		t.Errorf("the address does not have the question: %s", address)
	}
	if _, err := m.Commit(t.Context(), memory.CommitInput{Claim: "Tokens live a day.", Key: "domain/auth/token", Scope: "auth"}); err != nil {
		t.Fatal(err)
	}
	other.visit("/facts")
	other.shows("Tokens live a day.")
	other.do(chromedp.KeyEvent("?"), chromedp.WaitVisible("#keys[open]"))
	w.quiet("the first window")
	other.quiet("the second window")
}
