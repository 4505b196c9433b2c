package dashboard_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"engram/memory"
)

// TestSessions: a session is listed, found, read turn by turn, and its long output is plain text.
func TestSessions(t *testing.T) {
	d := sit(t)
	if _, page := d.get("/sessions"); !strings.Contains(page, "engram session import --all") {
		t.Error("without sessions the page does not say how to bring them")
	}
	long := strings.Repeat("compiling package number 7 <b>bold</b>\\n", 400)
	file := filepath.Join(t.TempDir(), "tax.jsonl")
	text := `{"type":"user","sessionId":"tax-1","cwd":"/shop","uuid":"1","timestamp":"2026-04-30T10:00:01Z","message":{"role":"user","content":"Round the tax half up. \u202eevil <script>alert(1)</script>"}}
{"type":"assistant","sessionId":"tax-1","uuid":"2","timestamp":"2026-04-30T10:00:02Z","message":{"role":"assistant","content":[{"type":"text","text":"We chose half up over half even because the invoices do."},{"type":"tool_use","id":"a","name":"Bash","input":{"command":"make"}}]}}
{"type":"user","sessionId":"tax-1","uuid":"3","timestamp":"2026-04-30T10:00:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"` + long + `"}]}}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.ImportSessions(t.Context(), memory.ImportSessionsInput{Files: []string{file}}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Consolidate(t.Context(), memory.ConsolidateInput{}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		"/sessions":            {"Round the tax half up.", "1 of 1 session"},
		"/sessions?q=invoices": {"Round the tax half up.", "around="},
		"/sessions?q=zebra":    {"No session has these words."},
		"/sessions/tax-1":      {"We chose half up over half even", "&lt;script&gt;", `\u202eevil`, "the whole content", "decision"},
		"/review":              {"We chose half up over half even"},
	} {
		status, page := d.get(path)
		if status != http.StatusOK || strings.Contains(page, "<script>alert") || strings.Contains(page, "\u202e") {
			t.Errorf("%s: %d", path, status)
		}
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%s lacks %q", path, text)
			}
		}
	}
	_, page := d.get("/sessions/tax-1")
	_, rest, _ := strings.Cut(page, `href="/dashboard/sessions/tax-1/artifacts/`)
	digest, _, _ := strings.Cut(rest, `"`)
	r, err := d.http.Get(d.url + "/dashboard/sessions/tax-1/artifacts/" + digest)
	if err != nil {
		t.Fatal(err)
	}
	status, whole := d.read(r, nil)
	if status != http.StatusOK || strings.Count(whole, "<b>bold</b>") != 400 || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("the artifact: %d, %s, %d bytes", status, r.Header.Get("Content-Type"), len(whole))
	}
	if status, _ := d.get("/sessions/nobody"); status != http.StatusNotFound {
		t.Errorf("a session that is not there: %d", status)
	}

	// What a session offers becomes a fact that names it.
	_, page = d.get("/review")
	_, rest, _ = strings.Cut(page, `name="pointer" value="`)
	pointer, _, _ := strings.Cut(rest, `"`)
	form := url.Values{"csrf": {csrfRE.FindStringSubmatch(page)[1]}, "pointer": {pointer}, "how": {"accept"}, "claim": {"Tax is rounded half up."}, "scope": {"billing/tax"}}
	if status, page := d.post("/learnt", form); status != http.StatusOK || !strings.Contains(page, "Accepted") {
		t.Errorf("accepted: %d", status)
	}
	if _, page := d.get("/facts?q=tax+rounded"); !strings.Contains(page, "Tax is rounded half up.") {
		t.Error("what was accepted is no fact")
	}
}

// TestUpkeepAndBus: what ends soon, evidence that changed, the state of everything and the brief.
func TestUpkeepAndBus(t *testing.T) {
	d := sit(t)
	file := filepath.Join(d.WorkTree(), "limit.go")
	if err := os.WriteFile(file, []byte("package limit\n\nconst PerMinute = 100\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	commit(t, d.WorkTree())
	for _, in := range []memory.CommitInput{
		{Claim: "The staging database is reset every night.", Key: "domain/infra/staging", TTL: "P7D"},
		{Claim: "The API allows 100 requests a minute.", Key: "domain/api/limit", Pointers: []memory.Pointer{{Ref: "limit.go:3"}}},
		{Claim: "Refunds are never retried.", Key: "architecture/refunds/retries", Kind: "constraint"},
	} {
		if _, err := d.Commit(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	_, page := d.get("/expiring")
	if !strings.Contains(page, "reset every night") || !strings.Contains(page, "ends in 6 days") || !strings.Contains(page, "not compared the evidence") {
		t.Errorf("expiring:\n%s", page)
	}
	if err := os.WriteFile(file, []byte("package limit\n\nconst PerHour = 7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	form := url.Values{"csrf": {csrfRE.FindStringSubmatch(page)[1]}}
	status, page := d.post("/expiring", form)
	if status != http.StatusOK || !strings.Contains(page, "100 requests a minute") || !strings.Contains(page, `class="badge bad">drifted`) {
		t.Errorf("after the evidence was compared: %d\n%s", status, page)
	}
	if _, page := d.get("/map"); strings.Contains(page, "was not checked yet") {
		t.Error("the map does not know that evidence was compared")
	}
	if status, page := d.get("/health"); status != http.StatusOK || !strings.Contains(page, "identity") || !strings.Contains(page, "by words") {
		t.Errorf("health: %d", status)
	}
	if status, page := d.get("/bus"); status != http.StatusOK || !strings.Contains(page, "Refunds are never retried.") {
		t.Errorf("bus: %d", status)
	}
	if status, page := d.get("/bus/excerpt?ref=limit.go:3"); status != http.StatusOK || !strings.Contains(page, "PerMinute") {
		t.Errorf("an excerpt: %d\n%s", status, page)
	}
}
