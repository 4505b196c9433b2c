package memory_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"engram/memory"
)

// TestFindSessions: the filters of the list, the log of a file, ids that are abbreviated,
// and what is next to an event.
func TestFindSessions(t *testing.T) {
	b := newSessions(t)
	dir := t.TempDir()
	x, y := talk("find-x1", 3), talk("find-y2", 2)
	y.begin = y.begin.Add(48 * time.Hour)
	y.user("write the parser").call("w", "Write", map[string]any{"file_path": filepath.Join(b.dir, "src/parser.go"), "content": "package parser // with zebra stripes\n"})
	for i, s := range []*script{x, y} {
		s.cwd = b.dir
		b.importFiles(writeFile(t, filepath.Join(dir, []string{"x.jsonl", "y.jsonl"}[i]), s.text()))
	}
	for name, c := range map[string]struct {
		in   memory.SessionsInput
		want string
	}{
		"all":      {memory.SessionsInput{}, "find-y2 find-x1"},
		"agent":    {memory.SessionsInput{Agent: "claude-code"}, "find-y2 find-x1"},
		"no agent": {memory.SessionsInput{Agent: "codex"}, ""},
		"branch":   {memory.SessionsInput{Branch: "main"}, "find-y2 find-x1"},
		"other":    {memory.SessionsInput{Branch: "other"}, ""},
		"since":    {memory.SessionsInput{Since: y.begin}, "find-y2"},
		"text":     {memory.SessionsInput{Text: "zebra"}, "find-y2"},
		"path":     {memory.SessionsInput{Path: "src/parser.go"}, "find-y2"},
		"folder":   {memory.SessionsInput{Path: "src"}, "find-y2"},
	} {
		r, err := b.Sessions(t.Context(), c.in)
		var got []string
		for _, s := range r.Sessions {
			got = append(got, s.ID)
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q, %v", name, got, c.want, err)
		}
	}
	log, err := b.SessionLog(t.Context(), memory.SessionLogInput{Path: "src/parser.go"})
	if err != nil || len(log.Entries) != 1 || log.Entries[0].Tool != "Write" || !strings.Contains(log.Entries[0].Snippet, "zebra") {
		t.Errorf("log %+v, %v", log, err)
	}
	if got := b.session("find-x"); got.Session.ID != "find-x1" {
		t.Errorf("find-x is %s", got.Session.ID)
	}
	if _, err := b.Session(t.Context(), memory.SessionInput{ID: "find"}); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("an ambiguous id: %v", err)
	}
	if _, err := b.Session(t.Context(), memory.SessionInput{ID: "fin"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("a short id: %v", err)
	}
	// Some events are in the journal alone.
	file := writeFile(t, filepath.Join(dir, "x.jsonl"), x.user("live question").agent("live answer").text())
	b.hook("find-x1", file)
	all := b.session("find-x1").Events
	for _, i := range []int{0, 1, len(all) / 2, len(all) - 2, len(all) - 1} {
		r, err := b.Session(t.Context(), memory.SessionInput{ID: "find-x1", Around: all[i].ID})
		found := false
		for _, e := range r.Events {
			found = found || e.ID == all[i].ID
		}
		if err != nil || !found {
			t.Errorf("event %d is not next to itself: %v", i, err)
		}
	}
}
