package memory_test

import (
	"os"
	"path/filepath"
	"testing"

	"engram/memory"
	stored "engram/session"
)

// TestShareRefusedReplace: a remote that takes no other history keeps what it has, and the
// clone keeps its redaction.
func TestShareRefusedReplace(t *testing.T) {
	one, _, bare := sharing(t)
	one.importFiles(writeFile(t, filepath.Join(t.TempDir(), "refused-one.jsonl"), secretive("refused-one").text()))
	if _, err := one.shareSession("refused-one"); err != nil {
		t.Fatal(err)
	}
	there := gitIn(t, bare, "rev-parse", stored.Ref("refused-one"))
	// git's receive.denyNonFastForwards looks at branches alone; hosts refuse by hooks.
	hook := writeFile(t, filepath.Join(bare, "hooks/update"), "#!/bin/sh\nexec git merge-base --is-ancestor $2 $3\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	one.redact("refused-one", planted)
	if r, err := one.shareSession("refused-one"); err == nil || r.Applied {
		t.Errorf("shared %+v, %v", r, err)
	}
	if got := gitIn(t, bare, "rev-parse", stored.Ref("refused-one")); got != there {
		t.Errorf("the remote moved to %s", got)
	}
	if left := traces(t, one.dir, planted); len(left) > 0 {
		t.Errorf("the word is still in %q", left)
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	if r, err := one.shareSession("refused-one"); err != nil || !r.Applied {
		t.Errorf("shared %+v, %v", r, err)
	}
}

// TestSessionsOfWorkTrees: work trees of one repository have the same sessions.
func TestSessionsOfWorkTrees(t *testing.T) {
	b := newSessions(t)
	linked := filepath.Join(t.TempDir(), "linked")
	gitIn(t, b.dir, "worktree", "add", "-q", "--detach", linked)
	s := talk("linked-one", 2)
	sessionsIn(t, linked).importFiles(writeFile(t, filepath.Join(t.TempDir(), "linked-one.jsonl"), s.text()))
	if b.export("linked-one") != s.text() {
		t.Error("the main work tree does not have it")
	}
}

// TestSessionRefDeleted: a transcript brings back a session whose reference went.
func TestSessionRefDeleted(t *testing.T) {
	b := newSessions(t)
	s := talk("deleted-one", 2)
	file := writeFile(t, filepath.Join(t.TempDir(), "deleted-one.jsonl"), s.text())
	b.importFiles(file)
	gitIn(t, b.dir, "update-ref", "-d", stored.Ref("deleted-one"))
	if list, err := b.Sessions(t.Context(), memory.SessionsInput{}); err != nil || len(list.Sessions) != 0 {
		t.Errorf("listed %+v, %v", list, err)
	}
	b.importFiles(file)
	if b.export("deleted-one") != s.text() {
		t.Error("it did not come back")
	}
}
