package memory_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"engram/memory"
	"engram/recall/score"
)

// TestRecallScopes: a question about the work at hand is asked in the session that runs, and
// further away if that has no answer; facts of other repositories come last. A scope that is named
// is searched alone.
func TestRecallScopes(t *testing.T) {
	theirs := org(t)
	b := newSessions(t)
	if _, err := b.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.addSource("org", theirs.dir, "shared/*")

	old := newScript("old-run", "/elsewhere")
	old.user("Which port?").agent("The gateway listens on port 7411 in the old cluster.")
	b.importFiles(writeFile(t, filepath.Join(t.TempDir(), "old-run.jsonl"), old.text()))
	ask := func(in memory.RecallInput) (score.Scope, string) {
		t.Helper()
		r := b.recall(in)
		return r.Scope, texts(r)
	}
	const question = "which port did I just say the gateway listens on"
	if scope, text := ask(memory.RecallInput{Queries: []string{question}}); scope == score.Run || !strings.Contains(text, "7411") {
		t.Errorf("without a session that runs: %s\n%s", scope, text)
	}
	if _, err := b.Recall(t.Context(), memory.RecallInput{Queries: []string{question}, Scope: "run"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("a run where none is: %v", err)
	}

	live := newScript("live-run", b.dir)
	live.user("Which port?").agent("I just said it: the gateway listens on port 9090.")
	file := writeFile(t, filepath.Join(t.TempDir(), "live-run.jsonl"), live.text())
	if _, err := captureIn(t.Context(), b.dir, "live-run", file); err != nil {
		t.Fatal(err)
	}
	if _, err := b.ReadySession(t.Context(), "live-run", 1<<30); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		in    memory.RecallInput
		scope score.Scope
		has   string
		lacks string
	}{
		{"about the work at hand", memory.RecallInput{Queries: []string{question}}, score.Run, "9090", "7411"},
		{"the run does not say", memory.RecallInput{Queries: []string{"the last command of the old cluster"}}, score.Org, "7411", ""},
		{"about the project", memory.RecallInput{Queries: []string{"gateway listens on port"}}, score.Project, "7411", ""},
		{"only a source says", memory.RecallInput{Queries: []string{"services log to stdout as JSON"}}, score.Org, "stdout as JSON", ""},
		{"about the company", memory.RecallInput{Queries: []string{"how do other teams log"}}, score.Org, "stdout as JSON", ""},
		{"the run alone", memory.RecallInput{Queries: []string{"old cluster"}, Scope: "run"}, score.Run, "", "7411"},
		{"the project alone", memory.RecallInput{Queries: []string{"services log to stdout as JSON"}, Scope: "project"}, score.Project, "", "stdout as JSON"},
	} {
		scope, text := ask(tt.in)
		if scope != tt.scope || !strings.Contains(text, tt.has) || tt.lacks != "" && strings.Contains(text, tt.lacks) {
			t.Errorf("%s: answered by %s:\n%s", tt.name, scope, text)
		}
	}
	for _, in := range []memory.RecallInput{
		{Queries: []string{question}, Scope: "run", Session: "old-run"},
		{Queries: []string{question}, Scope: "galaxy"},
	} {
		if r, err := b.Recall(t.Context(), in); !errors.Is(err, memory.ErrUsage) {
			t.Errorf("%+v is answered: %+v, %v", in, r, err)
		}
	}
}
