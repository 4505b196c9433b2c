package gitstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
)

// roundTrip proves that a repository can be written to and read from.
func roundTrip(t *testing.T, dir string) *gitstore.Store {
	t.Helper()
	store := open(t, dir)
	first := write(t, store, map[string]string{"domain/a/x.yml": "one", "engram.yml": "format: 1"})
	second := write(t, store, map[string]string{"domain/a/x.yml": "two"})
	if diff := cmp.Diff(map[string]string{"domain/a/x.yml": "two", "engram.yml": "format: 1"}, contents(t, store, second)); diff != "" {
		t.Error(diff)
	}
	changes, err := store.Diff(t.Context(), first, second)
	if err != nil || len(changes) != 1 || changes[0].Path != "domain/a/x.yml" {
		t.Errorf("diff: %v %v", changes, err)
	}
	history, err := store.History(t.Context(), second, "domain/a/x.yml", 2)
	if err != nil || len(history) != 2 || history[0].Revision != second || history[1].Revision != first {
		t.Errorf("history: %v %v", history, err)
	}
	introduced, relation, err := store.Introduced(t.Context(), first, second)
	if err != nil || relation != gitstore.Ahead || len(introduced) != 1 {
		t.Errorf("introduced: %v %v %v", introduced, relation, err)
	}
	if tip, err := store.Tip(t.Context()); err != nil || tip != second {
		t.Errorf("tip: %s %v, want %s", tip, err, second)
	}
	fsck(t, store.CommonDir())
	return store
}

// TestOpenPlaces opens repositories from every place that belongs to one.
func TestOpenPlaces(t *testing.T) {
	dir := newRepo(t)
	sub := filepath.Join(dir, "a", "b c")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(t.TempDir(), "linked")
	gitIn(t, dir, "worktree", "add", "-q", linked, "-b", "side")
	bare := filepath.Join(t.TempDir(), "bare.git")
	gitIn(t, dir, "clone", "-q", "--bare", dir, bare)
	gitIn(t, bare, "config", "user.name", "Ada")
	gitIn(t, bare, "config", "user.email", "ada@example.com")
	bareLinked := filepath.Join(t.TempDir(), "linked-to-bare")
	gitIn(t, bare, "worktree", "add", "-q", bareLinked, "side")
	git := filepath.Join(dir, ".git")
	for _, test := range []struct {
		name, dir, common, workTree string
		bare                        bool
	}{
		{"top", dir, git, dir, false},
		{"subfolder", sub, git, dir, false},
		{"linked work tree", linked, git, linked, false},
		{"git directory", git, git, "", false},
		{"folder in the git directory", filepath.Join(git, "refs"), git, "", false},
		{"git directory of a linked work tree", filepath.Join(git, "worktrees", "linked"), git, "", false},
		{"bare", bare, bare, "", true},
		{"folder in a bare one", filepath.Join(bare, "refs"), bare, "", true},
		{"work tree linked to a bare one", bareLinked, bare, bareLinked, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			store := roundTrip(t, test.dir)
			got := []any{store.CommonDir(), store.WorkTree(), store.Bare(), store.StateDir(), store.Branch()}
			want := []any{test.common, test.workTree, test.bare, filepath.Join(test.common, "engram"), "engram"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if _, err := store.Apply(t.Context(), must(store.Tip(t.Context())), []gitstore.Write{{Path: "domain/a/x.yml"}, {Path: "engram.yml"}}, gitstore.Meta{}); err != nil {
				t.Errorf("empty the memory: %v", err)
			}
		})
	}
	t.Run("relative", func(t *testing.T) {
		t.Chdir(sub)
		for _, here := range []string{"", ".", ".."} {
			if store := open(t, here); store.WorkTree() != dir {
				t.Errorf("%q: work tree %s", here, store.WorkTree())
			}
		}
	})
}

// TestOpenKinds writes to and reads from the kinds of repositories that work.
func TestOpenKinds(t *testing.T) {
	origin := newRepo(t)
	for i := range 3 {
		if err := os.WriteFile(filepath.Join(origin, "file"), []byte(strings.Repeat("x", i+1)), 0o644); err != nil {
			t.Fatal(err)
		}
		gitIn(t, origin, "add", ".")
		gitIn(t, origin, "commit", "-q", "-m", "more")
	}
	memory := open(t, origin)
	write(t, memory, map[string]string{"tool/old.yml": "old", "tool/gone.yml": "gone"})
	write(t, memory, map[string]string{"tool/gone.yml": ""})
	gitIn(t, origin, "config", "uploadpack.allowFilter", "true")
	gitIn(t, origin, "config", "uploadpack.allowAnySHA1InWant", "true")

	kinds := map[string]func(t *testing.T, dir string){
		"shared": func(t *testing.T, dir string) { gitIn(t, origin, "clone", "-q", "--shared", origin, dir) },
		"reference": func(t *testing.T, dir string) {
			gitIn(t, origin, "clone", "-q", "--reference", origin, "file://"+origin, dir)
		},
		"shallow": func(t *testing.T, dir string) {
			gitIn(t, origin, "clone", "-q", "--depth=1", "--no-single-branch", "file://"+origin, dir)
		},
		"partial": func(t *testing.T, dir string) {
			gitIn(t, origin, "clone", "-q", "--filter=blob:none", "file://"+origin, dir)
		},
		"treeless": func(t *testing.T, dir string) {
			gitIn(t, origin, "clone", "-q", "--filter=tree:0", "file://"+origin, dir)
		},
		"sparse": func(t *testing.T, dir string) {
			gitIn(t, origin, "clone", "-q", origin, dir)
			gitIn(t, dir, "sparse-checkout", "set", "--sparse-index", "nothing")
		},
		"worktreeConfig": func(t *testing.T, dir string) {
			gitIn(t, origin, "clone", "-q", origin, dir)
			gitIn(t, dir, "config", "extensions.worktreeConfig", "true")
			gitIn(t, dir, "config", "--worktree", "user.name", "Worktree Ada")
		},
		"separate git directory": func(t *testing.T, dir string) {
			gitIn(t, origin, "clone", "-q", "--separate-git-dir", filepath.Join(t.TempDir(), "elsewhere"), origin, dir)
		},
		"submodule": func(t *testing.T, dir string) {
			super := newRepo(t)
			gitIn(t, super, "-c", "protocol.file.allow=always", "submodule", "add", "-q", origin, "sub")
			if err := os.Symlink(filepath.Join(super, "sub"), dir); err != nil {
				t.Skip(err)
			}
		},
	}
	for name, clone := range kinds {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "clone")
			clone(t, dir)
			gitIn(t, dir, "config", "user.name", "Ada")
			gitIn(t, dir, "config", "user.email", "ada@example.com")
			gitIn(t, dir, "branch", "-q", "engram", "origin/engram")
			store := open(t, dir)
			tip := must(store.Tip(t.Context()))
			if file, err := store.Get(t.Context(), tip, "tool/old.yml"); err != nil || string(file.Data) != "old" {
				t.Fatalf("a fact of the origin: %q %v", file.Data, err)
			}
			revision := write(t, store, map[string]string{"tool/new.yml": "new"})
			want := map[string]string{"tool/old.yml": "old", "tool/new.yml": "new"}
			if diff := cmp.Diff(want, contents(t, store, revision)); diff != "" {
				t.Error(diff)
			}
			changes, _, err := store.Introduced(t.Context(), "", revision)
			if err != nil {
				t.Error(err)
			}
			for file, err := range store.ReadAll(t.Context(), asFiles(changes)) {
				if err != nil || file.Err != nil {
					t.Errorf("%s: %v %v", file.Path, err, file.Err)
				}
			}
			if name != "treeless" { // fsck takes absent trees of promisors for broken links in git 2.39
				fsck(t, dir)
			}
		})
	}
}

func asFiles(changes []gitstore.Change) []gitstore.File {
	var files []gitstore.File
	for _, c := range changes {
		if c.New != "" {
			files = append(files, gitstore.File{Path: c.Path, Blob: c.New})
		}
	}
	return files
}

// TestOpenRefused: what cannot be opened is refused with the reason.
func TestOpenRefused(t *testing.T) {
	plain := t.TempDir()
	file := filepath.Join(plain, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	reftable := newRepo(t)
	gitIn(t, reftable, "config", "core.repositoryFormatVersion", "1")
	gitIn(t, reftable, "config", "extensions.refStorage", "reftable")
	known := newRepo(t) // as a git that knows reftable shows it
	if err := os.Mkdir(filepath.Join(known, ".git", "reftable"), 0o755); err != nil {
		t.Fatal(err)
	}
	future := newRepo(t)
	gitIn(t, future, "config", "core.repositoryFormatVersion", "99")
	for _, test := range []struct {
		name, dir string
		want      error
		text      string
	}{
		{"no repository", plain, gitstore.ErrNotRepository, plain},
		{"missing", filepath.Join(plain, "missing"), gitstore.ErrNotRepository, "no such file"},
		{"a file", file, gitstore.ErrNotRepository, "not a directory"},
		{"reftable, unknown to git", reftable, gitstore.ErrUnsupported, "reftable"},
		{"reftable, known to git", known, gitstore.ErrUnsupported, "git refs migrate"},
		{"future format", future, gitstore.ErrUnsupported, "99"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := gitstore.Open(t.Context(), test.dir, nil)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("got %v, want %v with %q", err, test.want, test.text)
			}
		})
	}
	t.Run("no git", func(t *testing.T) {
		t.Setenv("PATH", plain)
		_, err := gitstore.Open(t.Context(), plain, nil)
		if !errors.Is(err, gitstore.ErrUnsupported) || !strings.Contains(err.Error(), "PATH") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := gitstore.Open(ctx, newRepo(t), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	for _, branch := range []string{"-x", "a b", "a..b", "a~1", "x.lock", "/x", "x/", "a//b", "a@{b", "a:b", "a\nb"} {
		if _, err := gitstore.Open(t.Context(), newRepo(t), &gitstore.Options{Branch: branch}); err == nil {
			t.Errorf("branch %q was accepted", branch)
		}
	}
}

// TestDubiousOwnership: git's own refusal comes through with its way out.
func TestDubiousOwnership(t *testing.T) {
	dir := newRepo(t)
	if err := os.Chown(dir, 65534, 65534); err != nil {
		t.Skip("needs the right to give files away: ", err)
	}
	t.Setenv("SUDO_UID", "")
	_, err := gitstore.Open(t.Context(), dir, nil)
	owned, ok := errors.AsType[*gitstore.OwnershipError](err)
	if !ok || owned.Path != dir {
		t.Fatalf("got %v", err)
	}
	other := newRepo(t)
	gitIn(t, other, "remote", "add", "origin", dir)
	mustDo(t, os.Chown(filepath.Join(dir, ".git"), 65534, 65534)) // what a git that serves fetches looks at
	_, err = open(t, other).Fetch(t.Context(), "origin")
	if owned, ok = errors.AsType[*gitstore.OwnershipError](err); !ok || owned.Path != "" || !errors.Is(err, gitstore.ErrDenied) {
		t.Errorf("a fetch: %v", err)
	}
	globally(t, "safe.directory", dir)
	open(t, dir)
}
