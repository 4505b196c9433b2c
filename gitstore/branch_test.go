package gitstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"engram/gitstore"
)

// TestMoved: a parent that is not the tip changes nothing.
func TestMoved(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	first := must(apply(store, t, "", map[string]string{"x": "1"}))
	second := must(apply(store, t, first, map[string]string{"x": "2"}))
	other := gitIn(t, dir, "rev-parse", "main")
	for _, parent := range []string{"", first, other} {
		if _, err := apply(store, t, parent, map[string]string{"x": "3"}); !errors.Is(err, gitstore.ErrMoved) {
			t.Errorf("parent %q: %v", parent, err)
		}
	}
	gitIn(t, dir, "update-ref", "-d", "refs/heads/engram")
	if _, err := apply(store, t, second, map[string]string{"x": "3"}); !errors.Is(err, gitstore.ErrMoved) {
		t.Errorf("branch deleted: %v", err)
	}
	if _, err := store.Tip(t.Context()); !errors.Is(err, gitstore.ErrNoBranch) {
		t.Errorf("tip: %v", err)
	}
	gitIn(t, dir, "update-ref", "refs/heads/engram", second)
	if tip := write(t, store, map[string]string{"x": "3"}); tip == second {
		t.Error("the store did not recover")
	}
	fsck(t, dir)
}

// TestCheckedOut: the branch does not move under a work tree that has it.
func TestCheckedOut(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	tip := write(t, store, map[string]string{"x": "1"})
	refused := func(where, tree string) {
		t.Helper()
		_, err := apply(store, t, tip, map[string]string{"x": where})
		if !errors.Is(err, gitstore.ErrCheckedOut) || !strings.Contains(err.Error(), tree) || store.CheckedOutAt() != tree {
			t.Errorf("%s: %v (checked out at %q)", where, err, store.CheckedOutAt())
		}
		if now := must(store.Tip(t.Context())); now != tip {
			t.Errorf("%s: the branch moved", where)
		}
	}
	accepted := func(where string) {
		t.Helper()
		if at := store.CheckedOutAt(); at != "" {
			t.Errorf("%s: checked out at %s", where, at)
		}
		tip = must(apply(store, t, tip, map[string]string{"x": where}))
	}
	gitIn(t, dir, "checkout", "-q", "engram")
	refused("main work tree", dir)
	gitIn(t, dir, "checkout", "-q", "main")
	accepted("switched back")

	linked := filepath.Join(t.TempDir(), "linked")
	gitIn(t, dir, "worktree", "add", "-q", linked, "engram")
	refused("linked", linked)
	admin := filepath.Join(dir, ".git/worktrees/linked/gitdir")
	absolute := must(os.ReadFile(admin))
	relative := must(filepath.Rel(filepath.Dir(admin), filepath.Join(linked, ".git")))
	mustDo(t, os.WriteFile(admin, []byte(relative+"\n"), 0o644))
	refused("linked by a relative path", linked)
	mustDo(t, os.WriteFile(admin, absolute, 0o644))
	gitIn(t, dir, "worktree", "lock", linked)
	mustDo(t, os.RemoveAll(linked))
	refused("locked and away", linked)
	gitIn(t, dir, "worktree", "unlock", linked)
	accepted("deleted by hand")
	gitIn(t, dir, "worktree", "prune")
	accepted("pruned")

	mustDo(t, os.Mkdir(filepath.Join(dir, ".git/rebase-merge"), 0o755))
	mustDo(t, os.WriteFile(filepath.Join(dir, ".git/rebase-merge/head-name"), []byte("refs/heads/engram\n"), 0o644))
	refused("being rebased", dir)
	mustDo(t, os.RemoveAll(filepath.Join(dir, ".git/rebase-merge")))
	accepted("rebased")
}

// TestBareOnBranch: a bare repository whose HEAD names the memory branch has
// nothing checked out, also seen from a work tree linked to it.
func TestBareOnBranch(t *testing.T) {
	dir := newRepo(t)
	bare := filepath.Join(t.TempDir(), "bare.git")
	gitIn(t, dir, "clone", "-q", "--bare", dir, bare)
	gitIn(t, bare, "config", "user.name", "Ada")
	gitIn(t, bare, "config", "user.email", "ada@example.com")
	gitIn(t, bare, "symbolic-ref", "HEAD", "refs/heads/engram")
	linked := filepath.Join(t.TempDir(), "linked")
	write(t, open(t, bare), map[string]string{"x": "1"})
	gitIn(t, bare, "worktree", "add", "-q", linked, "main")
	write(t, open(t, linked), map[string]string{"x": "2"})
}

// TestStaleLock: a lock that a crash left is not removed, does not hang
// anybody, is named, and stands in nobody's way once a person removed it.
func TestStaleLock(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	tip := write(t, store, map[string]string{"x": "1"})
	lock := filepath.Join(dir, ".git/refs/heads/engram.lock")
	mustDo(t, os.WriteFile(lock, nil, 0o644))
	start := time.Now()
	_, err := store.Update(t.Context(), func(string) ([]gitstore.Write, gitstore.Meta, error) {
		return writes(map[string]string{"x": "2"}), gitstore.Meta{Message: "x\n"}, nil
	})
	if !errors.Is(err, gitstore.ErrLocked) || !strings.Contains(err.Error(), lock) || !strings.Contains(err.Error(), "may be deleted") {
		t.Errorf("got %v", err)
	}
	t.Logf("gave up after %s", time.Since(start).Round(10*time.Millisecond))
	if now := must(store.Tip(t.Context())); now != tip {
		t.Error("the branch moved")
	}
	mustDo(t, os.Remove(lock))
	write(t, store, map[string]string{"x": "2"})
	fsck(t, dir)
}

// TestDamagedBranch: a branch that points nowhere is not taken for absent.
func TestDamagedBranch(t *testing.T) {
	for name, content := range map[string]string{
		"missing object": "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef\n", "garbage": "garbage\n", "empty": "", "zeros": strings.Repeat("\x00", 41),
	} {
		t.Run(name, func(t *testing.T) {
			dir := newRepo(t)
			store := open(t, dir)
			tip := write(t, store, map[string]string{"x": "1"})
			mustDo(t, os.WriteFile(filepath.Join(dir, ".git/refs/heads/engram"), []byte(content), 0o644))
			if _, err := store.Tip(t.Context()); !errors.Is(err, gitstore.ErrDamaged) {
				t.Errorf("tip: %v", err)
			}
			for _, parent := range []string{"", tip} {
				if revision, err := apply(store, t, parent, map[string]string{"x": "2"}); err == nil {
					t.Errorf("apply on %q made %s", parent, revision)
				} else {
					t.Log(err)
				}
			}
		})
	}
}
