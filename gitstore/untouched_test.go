package gitstore_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
)

// busyRepo is a repository in use: two branches, a tag, a stash, a changed
// index, changed and unknown files in the work tree.
func busyRepo(t *testing.T) string {
	t.Helper()
	dir := newRepo(t)
	put := func(name, text string) { mustDo(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)) }
	put("file", "base\n")
	gitIn(t, dir, "add", ".")
	gitIn(t, dir, "commit", "-q", "-m", "base")
	gitIn(t, dir, "branch", "side")
	gitIn(t, dir, "tag", "-a", "v1", "-m", "v1")
	put("file", "stashed\n")
	gitIn(t, dir, "stash", "-q")
	put("file", "ours\n")
	gitIn(t, dir, "commit", "-q", "-a", "-m", "ours")
	gitIn(t, dir, "checkout", "-q", "side")
	put("file", "theirs\n")
	gitIn(t, dir, "commit", "-q", "-a", "-m", "theirs")
	put("staged", "staged\n")
	gitIn(t, dir, "add", "staged")
	put("unknown", "unknown\n")
	put("file", "changed\n")
	return dir
}

// TestNothingElseTouched: whatever the user is in the middle of, nothing of
// it changes, and the memory works.
func TestNothingElseTouched(t *testing.T) {
	for name, prepare := range map[string]func(dir string){
		"busy":     func(string) {},
		"detached": func(dir string) { gitIn(t, dir, "checkout", "-q", "--detach") },
		"packed":   func(dir string) { gitIn(t, dir, "pack-refs", "--all") },
		"merging":  func(dir string) { conflict(t, dir, "merge", "main") },
		"rebasing": func(dir string) { conflict(t, dir, "rebase", "main") },
		"picking":  func(dir string) { conflict(t, dir, "cherry-pick", "main") },
		"bisecting": func(dir string) {
			gitIn(t, dir, "bisect", "start", "--no-checkout", "HEAD", "HEAD~1")
		},
		"index locked": func(dir string) {
			mustDo(t, os.WriteFile(filepath.Join(dir, ".git/index.lock"), nil, 0o644))
		},
		"packed refs locked": func(dir string) {
			mustDo(t, os.WriteFile(filepath.Join(dir, ".git/packed-refs.lock"), nil, 0o644))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := busyRepo(t)
			prepare(dir)
			unchanged(t, dir, func() {
				store := roundTrip(t, dir)
				tip := must(store.Tip(t.Context()))
				write(t, store, map[string]string{"domain/y.yml": "y", "engram.yml": ""})
				if _, err := store.Apply(t.Context(), tip, manyWrites(1, 1), gitstore.Meta{}); err == nil {
					t.Error("a lost race succeeded")
				}
				mustDo(t, store.Close())
			})
			_ = os.Remove(filepath.Join(dir, ".git/index.lock"))
			fsck(t, dir)
		})
	}
}

func conflict(t *testing.T, dir, verb, with string) {
	t.Helper()
	gitIn(t, dir, "commit", "-q", "-a", "-m", "tidy")
	cmd := exec.Command("git", verb, with)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Fatalf("git %s made no conflict: %s", verb, out)
	}
}

// TestPackedReferences: the branch is read and moved wherever git keeps it.
func TestPackedReferences(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	for i, text := range []string{"1", "2", "3"} {
		revision := write(t, store, map[string]string{"x": text})
		gitIn(t, dir, "pack-refs", "--all")
		if tip := must(store.Tip(t.Context())); tip != revision {
			t.Errorf("%d: tip %s, want %s", i, tip, revision)
		}
	}
	if out := gitIn(t, dir, "rev-list", "--count", "engram"); out != "3" {
		t.Errorf("%s commits", out)
	}
}

// TestRepackUnderneath: a store that lives on reads and writes what git has
// meanwhile put elsewhere.
func TestRepackUnderneath(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	want := map[string]string{}
	for i, repack := range [][]string{{"gc", "-q", "--prune=now"}, {"repack", "-a", "-d", "-q"}, {"gc", "-q", "--aggressive", "--prune=now"}, {"prune-packed", "-q"}, {"repack", "-q", "-A", "-d", "--write-midx"}} {
		for _, w := range manyWrites(60*(i%2), 100) { // packs and loose objects in turn
			want[w.Path] = string(w.Data) + repack[0]
		}
		want["tool/"+repack[0]+".yml"] = "one"
		revision := write(t, store, want)
		gitIn(t, dir, repack...)
		if diff := cmp.Diff(want, contents(t, store, revision)); diff != "" {
			t.Errorf("after git %v: %s", repack, diff)
		}
		for path := range want {
			if _, err := store.Get(t.Context(), revision, path); err != nil {
				t.Errorf("after git %v: %v", repack, err)
			}
		}
	}
	fsck(t, dir)
}
