package memory_test

import (
	"errors"
	"testing"

	"engram/gitstore"
	"engram/memory"
)

func TestInit(t *testing.T) {
	m := openMemory(t, newRepo(t))
	before := gitIn(t, m.dir, "for-each-ref")
	s, err := m.Status(t.Context(), memory.StatusInput{})
	if err != nil || s.Ready || s.NextCommand != "engram init" {
		t.Errorf("status before: %+v, %v", s, err)
	}
	first, err := m.Init(t.Context())
	if err != nil || !first.Created || first.Revision != m.tip() {
		t.Fatalf("init = %+v, %v", first, err)
	}
	again, err := m.Init(t.Context())
	if err != nil || again.Created || again.Revision != first.Revision {
		t.Errorf("init again = %+v, %v", again, err)
	}
	if after := gitIn(t, m.dir, "for-each-ref", "refs/heads/main", "refs/tags", "refs/stash", "refs/remotes"); after != before {
		t.Errorf("other references changed:\n%s\n%s", before, after)
	}
	if status := gitIn(t, m.dir, "status", "--porcelain"); status != "" {
		t.Errorf("the work tree changed: %s", status)
	}
	if base := gitIn(t, m.dir, "rev-list", "--count", "engram"); base != "1" {
		t.Errorf("the memory begins with %s commits, want one of its own", base)
	}
	gitIn(t, m.dir, "fsck", "--strict")
}

func TestInitIsNeverTheFirstBranch(t *testing.T) {
	empty := t.TempDir()
	gitIn(t, empty, "init", "-q", "-b", "main")
	configure(t, empty)
	if _, err := openMemory(t, empty).Init(t.Context()); !errors.Is(err, memory.ErrEmptyRemote) {
		t.Errorf("init in an empty repository: %v", err)
	}

	remote := t.TempDir()
	gitIn(t, remote, "init", "-q", "--bare")
	dir := newRepo(t)
	gitIn(t, dir, "remote", "add", "origin", remote)
	if _, err := openMemory(t, dir).Init(t.Context()); !errors.Is(err, memory.ErrEmptyRemote) {
		t.Errorf("init with an empty remote: %v", err)
	}
	gitIn(t, dir, "push", "-q", "origin", "main")
	if _, err := openMemory(t, dir).Init(t.Context()); err != nil {
		t.Errorf("init with a remote that has a branch: %v", err)
	}

	gone := newRepo(t)
	gitIn(t, gone, "remote", "add", "origin", t.TempDir()+"/nowhere")
	if _, err := openMemory(t, gone).Init(t.Context()); err != nil {
		t.Errorf("init with a remote that does not answer: %v", err)
	}
}

func TestInitRefusesABranchOfCode(t *testing.T) {
	dir := newRepo(t)
	gitIn(t, dir, "branch", "engram")
	if _, err := openMemory(t, dir).Init(t.Context()); !errors.Is(err, memory.ErrNotMemory) {
		t.Errorf("init over a code branch: %v", err)
	}
}

func TestLaterFormatIsRefused(t *testing.T) {
	m := newMemory(t)
	m.place("engram.yml", "format: 2\n")
	_, err := m.Commit(t.Context(), memory.CommitInput{Claim: "a b c d"})
	if code, hint := classified(err); !errors.Is(err, memory.ErrNotMemory) || code != memory.CodeUnusable || hint == "" {
		t.Errorf("commit to format 2: %v, %s, %q", err, code, hint)
	}
}

func TestCheckedOutBranchIsNotWritten(t *testing.T) {
	m := newMemory(t)
	gitIn(t, m.dir, "switch", "-q", "engram")
	_, err := m.Commit(t.Context(), memory.CommitInput{Claim: "a b c d"})
	if !errors.Is(err, gitstore.ErrCheckedOut) {
		t.Errorf("commit under a checkout: %v", err)
	}
	if s, err := m.Status(t.Context(), memory.StatusInput{}); err != nil || s.CheckedOut == "" {
		t.Errorf("status = %+v, %v", s, err)
	}
}
