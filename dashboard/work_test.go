package dashboard_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"engram/memory"
	"engram/session"
)

// TestASessionIsAConversation: what was said is shown as text, with what came of it, and a long
// result is sent as plain text.
func TestASessionIsAConversation(t *testing.T) {
	d := sit(t)
	if _, page := d.get("/sessions"); !strings.Contains(page, "engram session import") {
		t.Errorf("no sessions: %s", page)
	}
	long := "<script>alert(1)</script>\n" + strings.Repeat("one line of a long log\n", 4000)
	_, err := d.AppendEvents(t.Context(), memory.AppendEventsInput{Session: "walk", Client: "claude", Seal: true, Events: []memory.AppendedEvent{
		{Kind: string(session.UserMessage), Text: "Why do sessions <b>end</b> early?"},
		{Kind: string(session.ToolCall), Tool: "Bash", Call: "c1", Text: `{"command":"grep -rn life ."}`},
		{Kind: string(session.ToolResult), Call: "c1", Text: long},
		{Kind: string(session.SystemNote), Text: "the client's own note"},
		{Kind: string(session.AgentMessage), Text: "The constant is 30.", Facts: []string{"domain/auth/session"}, Commits: []string{"0123456789abcdef"}},
		{Kind: string(session.UserMessage), Text: "Thank you."},
	}})
	if err != nil {
		t.Fatal(err)
	}
	id := memory.SessionID("walk")
	if _, page := d.get("/sessions?q=constant"); !strings.Contains(page, id) {
		t.Errorf("not found: %s", page)
	}
	_, page := d.get("/sessions/" + id)
	for _, want := range []string{"Why do sessions &lt;b&gt;end&lt;/b&gt; early?", "grep -rn life .", "The constant is 30.", "/dashboard/facts/domain/auth/session", "0123456789", "Show all", "Turn 2"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page: %s", want, page)
		}
	}
	if strings.Contains(page, "own note") || strings.Contains(page, "<script>alert") {
		t.Errorf("it shows what it should not: %s", page)
	}
	if _, page := d.get("/sessions/" + id + "?turn=2"); strings.Contains(page, "The constant") || !strings.Contains(page, "Turn 1") {
		t.Errorf("turn 2: %s", page)
	}
	link := regexp.MustCompile(`/sessions/[^"]*/artifacts/[0-9a-f]{64}`).FindString(page)
	if link == "" {
		t.Fatalf("no artifact: %s", page)
	}
	r, err := d.http.Get(d.url + "/dashboard" + link)
	if err != nil {
		t.Fatal(err)
	}
	kind := r.Header.Get("Content-Type")
	if status, text := d.read(r, err); status != http.StatusOK || text != long || kind != "text/plain; charset=utf-8" {
		t.Errorf("%d, %d characters of %s", status, len(text), kind)
	}
	if status, _ := d.get("/sessions/nowhere"); status != http.StatusNotFound {
		t.Errorf("a session that is not there: %d", status)
	}
}

// TestASessionShowsWhatLeftTheWindow: after a compaction, the page has the markers that the agent is given, its task,
// and what it recalled; an agent's token sees these of its own sessions alone.
func TestASessionShowsWhatLeftTheWindow(t *testing.T) {
	d := sit(t)
	file := filepath.Join(t.TempDir(), "rounding.jsonl")
	line := func(n int, rest map[string]any) string {
		rest["sessionId"], rest["cwd"], rest["uuid"], rest["timestamp"] = "rounding-1", "/shop", "u"+string(rune('0'+n)), "2026-04-30T10:00:0"+string(rune('0'+n))+"Z"
		text, err := json.Marshal(rest)
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	said := func(role, text string) map[string]any {
		return map[string]any{"type": role, "message": map[string]any{"role": role, "content": text}}
	}
	text := line(1, said("user", "Round the invoices half up, and keep the ledger exact.")) + line(2, said("assistant", "The ledger is exact now; LedgerRounding is in tax.go.")) +
		line(3, map[string]any{"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}) +
		line(4, map[string]any{"type": "user", "isCompactSummary": true, "message": map[string]any{"role": "user", "content": "We rounded invoices."}}) + line(5, said("user", "Now the refunds."))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.ImportSessions(t.Context(), memory.ImportSessionsInput{Files: []string{file}}); err != nil {
		t.Fatal(err)
	}
	list, err := d.Sessions(t.Context(), memory.SessionsInput{})
	if err != nil || len(list.Sessions) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	id := list.Sessions[0].ID
	if _, err := d.Recall(t.Context(), memory.RecallInput{Queries: []string{"where is the rounding of the ledger"}, Session: id}); err != nil {
		t.Fatal(err)
	}
	_, page := d.get("/sessions/" + id)
	for _, want := range []string{"Left the window", ">Turn 1</a>:", "1 recall", "1 question"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page:\n%s", want, page)
		}
	}
}
