package gitstore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
)

func apply(store *gitstore.Store, t *testing.T, parent string, files map[string]string) (string, error) {
	return store.Apply(t.Context(), parent, writes(files), gitstore.Meta{Message: "change\n"})
}

// TestApply walks a branch from nothing through every kind of change.
func TestApply(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	if _, err := store.Tip(t.Context()); !errors.Is(err, gitstore.ErrNoBranch) {
		t.Fatalf("tip of nothing: %v", err)
	}
	tip := ""
	for _, step := range []struct {
		name    string
		files   map[string]string
		same    bool // no commit is made
		refused error
		want    []string
	}{
		{name: "nothing at all", same: true},
		{name: "remove from nothing", files: map[string]string{"a/b.yml": ""}, same: true},
		{name: "first", files: map[string]string{"a/b.yml": "1", "a/c/d.yml": "1", "z.yml": "1"}, want: []string{"a/b.yml", "a/c/d.yml", "z.yml"}},
		{name: "the same again", files: map[string]string{"a/b.yml": "1", "z.yml": "1"}, same: true},
		{name: "replace and add", files: map[string]string{"a/b.yml": "2", "a/c/e.yml": "1"}, want: []string{"a/b.yml", "a/c/d.yml", "a/c/e.yml", "z.yml"}},
		{name: "remove what is not there", files: map[string]string{"a/x.yml": "", "q/r/s.yml": ""}, same: true},
		{name: "remove a folder by name", files: map[string]string{"a": ""}, same: true},
		{name: "remove below a file", files: map[string]string{"z.yml/x.yml": ""}, same: true},
		{name: "remove one, and its folder with it", files: map[string]string{"a/c/d.yml": "", "a/c/e.yml": ""}, want: []string{"a/b.yml", "z.yml"}},
		{name: "case", files: map[string]string{"a/B.yml": "1"}, refused: gitstore.ErrClash},
		{name: "case of a folder", files: map[string]string{"A/x.yml": "1"}, refused: gitstore.ErrClash},
		{name: "case among the new", files: map[string]string{"n/x.yml": "1", "n/X.yml": "1"}, refused: gitstore.ErrClash},
		{name: "file in a folder's place", files: map[string]string{"a": "1"}, refused: gitstore.ErrClash},
		{name: "folder in a file's place", files: map[string]string{"z.yml/x.yml": "1"}, refused: gitstore.ErrClash},
		{name: "both among the new", files: map[string]string{"n": "1", "n/x.yml": "1"}, refused: gitstore.ErrClash},
		{name: "rename by case", files: map[string]string{"a/b.yml": "", "a/B.yml": "1"}, want: []string{"a/B.yml", "z.yml"}},
		{name: "file becomes folder", files: map[string]string{"z.yml": "", "z.yml/x.yml": "1"}, want: []string{"a/B.yml", "z.yml/x.yml"}},
		{name: "folder becomes file", files: map[string]string{"z.yml": "1", "z.yml/x.yml": ""}, want: []string{"a/B.yml", "z.yml"}},
		{name: "empty", files: map[string]string{"z.yml": "", "a/B.yml": ""}, want: nil},
		{name: "empty again", files: map[string]string{"z.yml": ""}, same: true},
		{name: "anew", files: map[string]string{"z.yml": "1"}, want: []string{"z.yml"}},
	} {
		var next string
		unchanged(t, dir, func() {
			var err error
			if next, err = apply(store, t, tip, step.files); !errors.Is(err, step.refused) {
				t.Errorf("%s: %v, want %v", step.name, err, step.refused)
			}
		})
		if step.refused != nil || step.same {
			if now, _ := store.Tip(t.Context()); now != tip || step.same && next != tip {
				t.Errorf("%s: the branch went from %q to %q", step.name, tip, now)
			}
			continue
		}
		tip = next
		listing := gitIn(t, dir, "-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", "engram")
		if diff := cmp.Diff(strings.Join(step.want, "\n"), listing); diff != "" {
			t.Errorf("%s:\n%s", step.name, diff)
		}
	}
	fsck(t, dir)
	noLitter(t, store)
}

// TestApplyPaths: paths that a checkout could be attacked with, or that git
// fsck rejects, are refused.
func TestApplyPaths(t *testing.T) {
	store := open(t, newRepo(t))
	for _, path := range []string{"", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", ".git/config", "a/.GIT/x", ".git./x", "git~1/x", ".git::$INDEX/x", "a\x00b", "a\nb", `a\b`, "a\xffb"} {
		if _, err := apply(store, t, "", map[string]string{path: "x"}); err == nil {
			t.Errorf("%q was accepted", path)
		}
	}
	if _, err := store.Tip(t.Context()); !errors.Is(err, gitstore.ErrNoBranch) {
		t.Errorf("tip: %v", err)
	}
}

// TestCommitObject: the commit says what git's own would.
func TestCommitObject(t *testing.T) {
	dir := newRepo(t)
	gitIn(t, dir, "config", "author.name", "Grace  <Hopper>")
	gitIn(t, dir, "config", "committer.email", "robot@example.com")
	zone := time.FixedZone("", 5*3600+1800)
	now := time.Date(2026, 3, 4, 5, 6, 7, 8, zone)
	store, err := gitstore.Open(t.Context(), dir, &gitstore.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	first := must(apply(store, t, "", map[string]string{"x": "1"}))
	message := "add domain/a/é\n\n- one\n- two\n"
	second := must(store.Apply(t.Context(), "engram", writes(map[string]string{"x": "2"}), gitstore.Meta{Message: message + "\x00"}))
	got := gitIn(t, dir, "cat-file", "commit", second)
	want := "tree " + gitIn(t, dir, "rev-parse", second+"^{tree}") + "\nparent " + first +
		"\nauthor Grace  Hopper <ada@example.com> 1772580967 +0530\ncommitter Ada <robot@example.com> 1772580967 +0530\n\n" + strings.TrimSpace(message)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	t.Setenv("GIT_AUTHOR_NAME", "Grace  <Hopper>")
	t.Setenv("GIT_AUTHOR_DATE", "1772580967 +0530")
	t.Setenv("GIT_COMMITTER_DATE", "1772580967 +0530")
	if same := gitInput(t, dir, message, "commit-tree", second+"^{tree}", "-p", first, "-F", "-"); same != second {
		t.Errorf("git makes commit %s of it, engram %s", same, second)
	}
	if id, err := store.Identity(t.Context()); err != nil || id != "Grace  Hopper <ada@example.com>" {
		t.Errorf("identity %q %v", id, err)
	}
	fsck(t, dir)
}

// TestNoIdentity is refused, and works as soon as there is one.
func TestNoIdentity(t *testing.T) {
	dir := newRepo(t)
	gitIn(t, dir, "config", "--unset", "user.name")
	gitIn(t, dir, "config", "--unset", "user.email")
	gitIn(t, dir, "config", "user.useConfigOnly", "true")
	store := open(t, dir)
	if _, err := apply(store, t, "", map[string]string{"x": "1"}); !errors.Is(err, gitstore.ErrNoIdentity) {
		t.Errorf("got %v", err)
	}
	gitIn(t, dir, "config", "user.name", "Ada")
	gitIn(t, dir, "config", "user.email", "ada@example.com")
	if _, err := apply(store, t, "", map[string]string{"x": "1"}); err != nil {
		t.Errorf("after configuring: %v", err)
	}
}

// TestManyFiles: thousands in one commit, in a pack, equal to what git makes.
func TestManyFiles(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	files := map[string]string{}
	for i := range 5000 {
		files[fmt.Sprintf("domain/c%d/f-%d.yml", i%7, i)] = fmt.Sprint("claim ", i)
	}
	// Names whose order depends on the slash that git thinks behind a folder.
	for _, path := range []string{"o/a.yml", "o/a/x", "o/a-b.yml", "o/a0", "o/ab/x", "o/a.b/x", "o/Z0/x", "o/é/x", "o/é.yml", "o/日本/x", "o/a b"} {
		files[path] = path
	}
	revision := write(t, store, files)
	if diff := cmp.Diff(files, contents(t, store, revision)); diff != "" {
		t.Error(diff)
	}
	compareWithGit(t, dir, revision)
	if packs, _ := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*")); len(packs) != 2 {
		t.Errorf("objects/pack holds %v", packs)
	}
	gitIn(t, dir, "verify-pack", filepath.Join(dir, must(filepath.Rel(dir, must(filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.idx")))[0]))))
	for path := range files {
		files[path] = files[path][:1] + "changed"
	}
	revision = write(t, store, files)
	compareWithGit(t, dir, revision)
	fsck(t, dir)
	noLitter(t, store)
}

// compareWithGit has git build the same tree through an index of its own, and
// compares the names: the same name means the same bytes.
func compareWithGit(t *testing.T, dir, revision string) {
	t.Helper()
	listing := gitIn(t, dir, "ls-tree", "-r", "-z", revision)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(t.TempDir(), "index"))
	gitInput(t, dir, listing, "update-index", "-z", "--index-info")
	want := gitIn(t, dir, "write-tree")
	os.Unsetenv("GIT_INDEX_FILE")
	if got := gitIn(t, dir, "rev-parse", revision+"^{tree}"); got != want {
		t.Errorf("tree of %s is %s, git makes %s of it", revision, got, want)
	}
}

// TestObjectsAsGit: each object has the name that git gives to its content,
// and is as readable as git's.
func TestObjectsAsGit(t *testing.T) {
	for _, shared := range []string{"umask", "group", "all"} {
		dir := newRepo(t, "--shared="+shared)
		store := open(t, dir)
		write(t, store, map[string]string{"a/x.yml": "content of x"})
		blob := gitInput(t, dir, "content of x", "hash-object", "--stdin")
		ours := filepath.Join(dir, ".git/objects", blob[:2], blob[2:])
		other := gitInput(t, dir, "content of y", "hash-object", "-w", "--stdin")
		gits := filepath.Join(dir, ".git/objects", other[:2], other[2:])
		for _, pair := range [][2]string{{ours, gits}, {filepath.Dir(ours), filepath.Dir(gits)}} {
			a, b := must(os.Stat(pair[0])), must(os.Stat(pair[1]))
			if a.Mode() != b.Mode() {
				t.Errorf("shared=%s: %s is %v, git's is %v", shared, pair[0], a.Mode(), b.Mode())
			}
		}
		fsck(t, dir)
	}
}
