package memory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"engram/memory"
)

// TestWhyLeadsToSession: a line leads to the commit and the exchange that wrote it, also
// after it moved or before it was committed.
func TestWhyLeadsToSession(t *testing.T) {
	b := newSessions(t)
	if _, err := b.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	begin := time.Now().Add(-time.Hour)
	s := newScript("why-one", b.dir)
	s.begin = begin
	file := filepath.Join(b.dir, "retry.go")
	line := "const maxRetriesOfUpload = 7 // the gateway drops six"
	content := "package retry\n\n" + line + "\n"
	s.user("uploads fail at the gateway, make them robust").agent("I raise the retries, the gateway drops six")
	s.call("w", "Write", map[string]any{"file_path": file, "content": content}).result("w", "ok")
	writeFile(t, file, content)
	gitIn(t, b.dir, "add", "-A")
	gitIn(t, b.dir, "commit", "-q", "-m", "retry uploads")
	short := gitIn(t, b.dir, "rev-parse", "--short", "HEAD")
	s.call("c", "Bash", map[string]any{"command": "git commit -m 'retry uploads'"}).result("c", fmt.Sprintf("[main %s] retry uploads\n 1 file changed", short))
	loose := "var uncommittedThing = computeSomethingSpecial()"
	s.user("and one that is not committed").call("e", "Edit", map[string]any{"file_path": file, "old_string": "x", "new_string": loose}).result("e", "ok")
	b.importFiles(writeFile(t, filepath.Join(t.TempDir(), "why-one.jsonl"), s.text()))
	check := func(name, path string, at int, by, asked string) {
		t.Helper()
		began := time.Now()
		r, err := b.Why(t.Context(), memory.WhyInput{Path: path, First: at, Last: at})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		if asked == "" {
			for _, o := range r.Origins {
				if o.Session != "" {
					t.Errorf("%s: comes from %+v", name, o)
				}
			}
			return
		}
		if len(r.Origins) != 1 || r.Origins[0].Session != "why-one" || r.Origins[0].By != by || !strings.Contains(r.Origins[0].Exchange[0].Text, asked) {
			t.Errorf("%s: %+v", name, r.Origins)
		}
	}
	check("committed", "retry.go", 3, "commit", "uploads fail")
	gitIn(t, b.dir, "mv", "retry.go", "again.go")
	gitIn(t, b.dir, "commit", "-q", "-m", "rename")
	writeFile(t, filepath.Join(b.dir, "again.go"), "package retry\n\n// a comment above\n// and one more\n"+line+"\n")
	gitIn(t, b.dir, "commit", "-q", "-a", "-m", "comments")
	check("moved and renamed", "again.go", 5, "commit", "uploads fail")
	writeFile(t, file, "package retry\n\n"+loose+"\n")
	gitIn(t, b.dir, "add", "retry.go")
	check("uncommitted", "retry.go", 3, "edit", "not committed")
	writeFile(t, filepath.Join(b.dir, "untracked.go"), "package retry\n\n"+loose+"\n")
	if r, err := b.Why(t.Context(), memory.WhyInput{Path: "untracked.go", First: 3, Last: 3}); err != nil || len(r.Origins) != 1 || r.Origins[0].Commit != "" {
		t.Errorf("a file that git does not know: %+v, %v", r.Origins, err)
	}
	old := filepath.Join(b.dir, "old.go")
	writeFile(t, old, "package old // older than all\n")
	gitIn(t, b.dir, "add", "-A")
	when := begin.Add(-100 * time.Hour).Format(time.RFC3339)
	if err := os.Setenv("GIT_COMMITTER_DATE", when); err != nil {
		t.Fatal(err)
	}
	gitIn(t, b.dir, "commit", "-q", "-m", "old", "--date", when)
	if err := os.Unsetenv("GIT_COMMITTER_DATE"); err != nil {
		t.Fatal(err)
	}
	check("older", "old.go", 1, "", "")
}

// TestWhyKnowsContext: a line that an edit only repeats was not written by it, nor one that
// was committed before the edit.
func TestWhyKnowsContext(t *testing.T) {
	b := newSessions(t)
	if _, err := b.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(b.dir, "calc.go")
	context, added := "return dividend / divisorOfTheCaller", "if divisorOfTheCaller == 0 { return nothingAtAll }"
	writeFile(t, file, context+"\n")
	gitIn(t, b.dir, "add", "-A")
	gitIn(t, b.dir, "commit", "-q", "-m", "start")
	s := newScript("why-two", b.dir)
	s.begin = time.Now().Add(-time.Minute)
	s.user("no division by zero").call("e", "Edit", map[string]any{"file_path": file, "old_string": context, "new_string": added + "\n" + context}).result("e", "ok")
	b.importFiles(writeFile(t, filepath.Join(t.TempDir(), "why-two.jsonl"), s.text()))
	writeFile(t, file, added+"\n"+context+"\n")
	for line, want := range map[int]string{1: "why-two", 2: ""} {
		r, err := b.Why(t.Context(), memory.WhyInput{Path: "calc.go", First: line, Last: line})
		if err != nil || len(r.Origins) != 1 || r.Origins[0].Session != want {
			t.Errorf("line %d: %+v, %v; want session %q", line, r.Origins, err, want)
		}
	}
}

// A line leads to a session that goes on, or that was killed, before anything of it is sealed.
func TestWhyLeadsToALiveSession(t *testing.T) {
	b := newSessions(t)
	if _, err := b.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := newScript("why-live", b.dir)
	s.begin = time.Now().Add(-time.Hour)
	file := filepath.Join(b.dir, "tax.go")
	content := "package tax\n\nconst halfCent = 0.005 // invoices round half up\n"
	s.user("customers lose half a cent").call("w", "Write", map[string]any{"file_path": file, "content": content}).result("w", "ok")
	writeFile(t, file, content)
	gitIn(t, b.dir, "add", "-A")
	gitIn(t, b.dir, "commit", "-q", "-m", "round half up")
	short := gitIn(t, b.dir, "rev-parse", "--short", "HEAD")
	s.call("c", "Bash", map[string]any{"command": "git commit -am 'round half up'"}).result("c", fmt.Sprintf("[main %s] round half up\n 1 file changed", short))
	b.hook("why-live", writeFile(t, filepath.Join(t.TempDir(), "why-live.jsonl"), s.text()))
	r, err := b.Why(t.Context(), memory.WhyInput{Path: "tax.go", First: 3, Last: 3})
	if err != nil || len(r.Origins) != 1 || r.Origins[0].Session != "why-live" || len(r.Origins[0].Exchange) == 0 || !strings.Contains(r.Origins[0].Exchange[0].Text, "half a cent") {
		t.Errorf("%+v, %v", r.Origins, err)
	}
}
