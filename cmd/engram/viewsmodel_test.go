package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"engram/memory"
)

// picker is a language model that picks from each conversation one sentence that the rules miss
// and one that nobody said. It is down while broken is set.
func picker(t *testing.T, asked *atomic.Int32, broken *atomic.Bool) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked.Add(1)
		if broken.Load() || strings.Contains(string(body), "exit status") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		answer, _ := json.Marshal(`{"picked":[{"n":2,"kind":"lesson","quote":"The journal of the ledger grows without bound on Sundays."},
			{"n":1,"kind":"decision","quote":"Everybody must hand over their keys to me."}]}`)
		fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%s},"finish_reason":"stop"}]}`, answer)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// TestModelReadsSessions: a language model on this machine reads what was said in sessions, and
// what it picks is derived, recalled and offered; one on another machine needs leave, and one that
// is down costs nothing.
func TestModelReadsSessions(t *testing.T) {
	repo := testRepo(t)
	var asked atomic.Int32
	var broken atomic.Bool
	env := map[string]string{"ENGRAM_LLM_URL": picker(t, &asked, &broken), "ENGRAM_LLM_MODEL": "big-one"}
	run := func(args ...string) result {
		t.Helper()
		r := runWith(env, "", append([]string{"--repo", repo}, args...)...)
		if r.status != 0 {
			t.Fatalf("%v: %+v", args, r)
		}
		return r
	}
	consolidate := func(args ...string) (got memory.ConsolidateResult) {
		t.Helper()
		if err := json.Unmarshal([]byte(run(append([]string{"session", "consolidate", "--json"}, args...)...).stdout), &got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	file := filepath.Join(t.TempDir(), "ledger.jsonl")
	line := func(kind, id, content string) string {
		return fmt.Sprintf(`{"type":%q,"sessionId":"ledger-1","cwd":"/home/ada/shop","uuid":%q,"timestamp":"2026-04-30T10:00:01Z","message":{"role":%q,"content":%s}}`+"\n", kind, id, kind, content)
	}
	text := line("user", "u1", `"Why is the disk full every Monday?"`) +
		line("assistant", "a1", `[{"type":"text","text":"The journal of the ledger grows without bound on Sundays."},{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"du -s"}}]`) +
		line("user", "u2", `[{"type":"tool_result","tool_use_id":"c1","content":"exit status 1"}]`)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run("init")
	run("session", "import", file)

	broken.Store(true)
	if got := consolidate(); got.Asked != 0 || got.Unread != 1 || got.Sessions != 1 || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "did not answer") {
		t.Errorf("while the model is down: %+v", got)
	}
	broken.Store(false)
	if got := consolidate(); got.Asked != 1 || got.Unread != 0 || got.Records != 1 || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "1 sentence of the language model dropped") {
		t.Errorf("with the model: %+v", got)
	}
	before := asked.Load()
	if got := consolidate(); got.Asked != 0 || got.Records != 1 || asked.Load() != before {
		t.Errorf("once more, although nothing changed: %+v", got)
	}
	if views := run("session", "views", "ledger-1").stdout; !strings.Contains(views, "lesson\t") || !strings.Contains(views, "grows without bound") || strings.Contains(views, "keys to me") {
		t.Errorf("views\n%s", views)
	}
	if got := consolidate("--again"); got.Asked != 1 || got.Records != 1 {
		t.Errorf("again: %+v", got)
	}

	// What may be sent where.
	for _, tt := range []struct {
		set   string
		value string
		asks  int32
	}{{"ENGRAM_LLM_SESSIONS", "off", 0}, {"ENGRAM_LLM_SESSIONS", "on", 1}} {
		env[tt.set] = tt.value
		before := asked.Load()
		if consolidate("--again"); asked.Load()-before != tt.asks {
			t.Errorf("%s=%s: %d questions", tt.set, tt.value, asked.Load()-before)
		}
	}
}
