package memory_test

import (
	"path/filepath"
	"testing"

	"engram/memory"
	stored "engram/session"
)

// TestShareAuto: the team's policy says which sessions go without being named.
func TestShareAuto(t *testing.T) {
	for policy, want := range map[string]int{"never": 0, "own": 2, "pushed": 1} {
		t.Run(policy, func(t *testing.T) {
			one, _, bare := sharing(t)
			if _, err := one.Init(t.Context()); err != nil {
				t.Fatal(err)
			}
			if policy != "never" {
				one.agree("sessions: " + policy)
			}
			gitIn(t, one.dir, "commit", "-q", "--allow-empty", "-m", "work")
			pushed := gitIn(t, one.dir, "rev-parse", "HEAD")
			gitIn(t, one.dir, "push", "-q", "origin", "HEAD:main")
			s := newScript("auto-pushed", one.dir).user("commit it")
			s.call("c1", "Bash", map[string]any{"command": "git commit -m work"}).result("c1", "[main "+pushed[:10]+"] work\n 1 file changed\n")
			one.importFiles(writeFile(t, filepath.Join(t.TempDir(), "auto-pushed.jsonl"), s.text()),
				writeFile(t, filepath.Join(t.TempDir(), "auto-other.jsonl"), talk("auto-other", 1).text()))
			r, err := one.ShareSessions(t.Context(), memory.ShareSessionsInput{Auto: true, Apply: true})
			if err != nil || len(r.Sessions) != want {
				t.Fatalf("shared %+v, %v", r, err)
			}
			if policy == "pushed" && gitIn(t, bare, "rev-parse", stored.Ref("auto-pushed")) == "" {
				t.Error("the session of the pushed commit is not there")
			}
		})
	}
}
