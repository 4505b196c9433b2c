package gitstore_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
)

// work commits a file.
func work(t testing.TB, dir, name, text string) string {
	t.Helper()
	mustDo(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	gitIn(t, dir, "add", name)
	gitIn(t, dir, "commit", "-q", "-m", "work on "+name)
	return gitIn(t, dir, "rev-parse", "HEAD")
}

func TestHead(t *testing.T) {
	dir := newRepo(t)
	linked := filepath.Join(t.TempDir(), "linked")
	gitIn(t, dir, "worktree", "add", "-q", "-b", "feature/x", linked)
	detached := filepath.Join(t.TempDir(), "detached")
	gitIn(t, dir, "worktree", "add", "-q", "--detach", detached)
	bare := filepath.Join(t.TempDir(), "bare")
	gitIn(t, dir, "clone", "-q", "--bare", dir, bare)
	unborn := t.TempDir()
	gitIn(t, unborn, "init", "-q", "-b", "first")
	// A hook has these set for the repository that it belongs to.
	t.Setenv("GIT_DIR", filepath.Join(dir, ".git"))
	t.Setenv("GIT_WORK_TREE", dir)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(dir, ".git", "index"))
	for _, c := range []struct {
		dir, branch string
		commit      bool
	}{{dir, "main", true}, {linked, "feature/x", true}, {detached, "", true}, {bare, "", true}, {unborn, "first", false}} {
		branch, commit, err := open(t, c.dir).Head(t.Context())
		if err != nil || branch != c.branch || (commit != "") != c.commit {
			t.Errorf("HEAD of %s is %q at %q, %v; want %+v", c.dir, branch, commit, err, c)
		}
	}
}

// TestHeadInARebase: what is learned while a branch is rebased belongs to it.
func TestHeadInARebase(t *testing.T) {
	dir := newRepo(t)
	work(t, dir, "a", "1")
	gitIn(t, dir, "switch", "-q", "-c", "topic", "HEAD~1")
	work(t, dir, "a", "2")
	rebase := exec.Command("git", "rebase", "main")
	rebase.Dir = dir
	if out, err := rebase.CombinedOutput(); err == nil {
		t.Fatalf("the rebase went through: %s", out)
	}
	if branch := open(t, dir).CodeBranch(); branch != "topic" {
		t.Errorf("in a rebase the branch is %q", branch)
	}
}

func TestCodeBranches(t *testing.T) {
	dir := newRepo(t)
	for _, b := range []string{"feature/x", "engram", "engram-proposed", "engram-not"} {
		gitIn(t, dir, "branch", b)
	}
	clone := filepath.Join(t.TempDir(), "clone")
	gitIn(t, dir, "clone", "-q", "-o", "team/origin", dir, clone)
	gitIn(t, clone, "config", "user.name", "Ada")
	gitIn(t, clone, "config", "user.email", "ada@example.com")
	first := gitIn(t, dir, "rev-parse", "main")
	second := work(t, clone, "a", "1")
	store := open(t, clone)
	got, err := store.CodeBranches(t.Context())
	want := map[string][]string{"main": {second, first}, "feature/x": {first}, "engram-not": {first}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("branches (-want +got), %v:\n%s", err, diff)
	}
	if all, err := store.FollowsRemotes(t.Context()); !all || err != nil {
		t.Errorf("a whole clone follows its remote: %v, %v", all, err)
	}
	gitIn(t, clone, "config", "remote.team/origin.fetch", "+refs/heads/main:refs/remotes/team/origin/main")
	if all, err := store.FollowsRemotes(t.Context()); all || err != nil {
		t.Errorf("a clone of one branch does not: %v, %v", all, err)
	}
}

func TestTrunk(t *testing.T) {
	origin := newRepo(t)
	gitIn(t, origin, "branch", "-m", "main", "develop")
	dir := filepath.Join(t.TempDir(), "clone")
	gitIn(t, origin, "clone", "-q", origin, dir)
	gitIn(t, dir, "config", "user.name", "Ada")
	gitIn(t, dir, "config", "user.email", "ada@example.com")
	store := open(t, dir)
	expect := func(what, configured, name, ref string) {
		t.Helper()
		got, err := store.Trunk(t.Context(), configured)
		if err != nil || got.Name != name || got.Ref != ref {
			t.Errorf("%s: the trunk is %+v, %v; want %s at %s", what, got, err, name, ref)
		}
	}
	expect("both are the same", "", "develop", "refs/remotes/origin/develop")
	work(t, dir, "a", "1")
	expect("the local one is ahead, which nobody else has", "", "develop", "refs/remotes/origin/develop")
	work(t, origin, "b", "1")
	gitIn(t, dir, "fetch", "-q")
	expect("they have diverged", "", "develop", "refs/remotes/origin/develop")
	gitIn(t, dir, "branch", "release")
	expect("configured", "release", "release", "refs/heads/release")
	expect("configured by remote", "origin/develop", "develop", "refs/remotes/origin/develop")
	if _, err := store.Trunk(t.Context(), "nowhere"); err == nil {
		t.Error("a trunk that does not exist is no error")
	}
	gitIn(t, dir, "remote", "remove", "origin")
	if got, err := store.Trunk(t.Context(), ""); err != nil || got != (gitstore.Trunk{}) {
		t.Errorf("without remote, main and master the trunk is %+v, %v", got, err)
	}
	gitIn(t, dir, "config", "init.defaultBranch", "develop")
	expect("git's own default", "", "develop", "refs/heads/develop")
}

// TestLanded: every way in which work comes into a trunk, and what only looks alike.
func TestLanded(t *testing.T) {
	before := newRepo(t)
	gitIn(t, before, "switch", "-q", "-c", "topic")
	work(t, before, "one", "1\n2\n3\n")
	work(t, before, "two", "1\n2\n3\n")
	gitIn(t, before, "switch", "-q", "main")
	work(t, before, "main", "1")
	for _, c := range []struct {
		name string
		land func(t *testing.T, dir string)
		want gitstore.Landing
	}{
		{"nothing", func(*testing.T, string) {}, gitstore.NotLanded},
		{"merge", func(t *testing.T, dir string) { gitIn(t, dir, "merge", "-q", "--no-ff", "topic") }, gitstore.HasLanded},
		{"rebase", func(t *testing.T, dir string) {
			gitIn(t, dir, "branch", "copy", "topic")
			gitIn(t, dir, "rebase", "-q", "main", "copy")
			gitIn(t, dir, "switch", "-q", "main")
			gitIn(t, dir, "merge", "-q", "--ff-only", "copy")
		}, gitstore.HasLanded},
		{"cherry-pick of all", func(t *testing.T, dir string) { gitIn(t, dir, "cherry-pick", "main..topic") }, gitstore.HasLanded},
		{"squash", func(t *testing.T, dir string) {
			gitIn(t, dir, "merge", "-q", "--squash", "topic")
			gitIn(t, dir, "commit", "-q", "-m", "squashed")
			work(t, dir, "one", "later")
		}, gitstore.HasLanded},
		{"squash of a branch that took the trunk in", func(t *testing.T, dir string) {
			gitIn(t, dir, "switch", "-q", "topic")
			gitIn(t, dir, "merge", "-q", "--no-edit", "main")
			gitIn(t, dir, "switch", "-q", "main")
			work(t, dir, "main2", "2")
			gitIn(t, dir, "merge", "-q", "--squash", "topic")
			gitIn(t, dir, "commit", "-q", "-m", "squashed")
		}, gitstore.HasLanded},
		{"squash on a branch that was merged", func(t *testing.T, dir string) {
			gitIn(t, dir, "switch", "-q", "-c", "side")
			gitIn(t, dir, "merge", "-q", "--squash", "topic")
			gitIn(t, dir, "commit", "-q", "-m", "squashed")
			gitIn(t, dir, "switch", "-q", "main")
			work(t, dir, "main2", "2")
			gitIn(t, dir, "merge", "-q", "--no-edit", "side")
		}, gitstore.HasLanded},
		{"squash that was edited", func(t *testing.T, dir string) {
			gitIn(t, dir, "merge", "-q", "--squash", "topic")
			work(t, dir, "one", "edited")
		}, gitstore.MayHaveLanded},
		{"cherry-pick of one", func(t *testing.T, dir string) { gitIn(t, dir, "cherry-pick", "topic~1") }, gitstore.MayHaveLanded},
		{"other work on one of the files", func(t *testing.T, dir string) { work(t, dir, "one", "other") }, gitstore.NotLanded},
		{"a commit without a change", func(t *testing.T, dir string) { gitIn(t, dir, "commit", "-q", "--allow-empty", "-m", "none") }, gitstore.NotLanded},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			mustDo(t, os.CopyFS(dir, os.DirFS(before)))
			c.land(t, dir)
			before := gitIn(t, dir, "count-objects", "-v")
			got, err := open(t, dir).Landed(t.Context(), gitIn(t, dir, "rev-parse", "topic"), gitIn(t, dir, "rev-parse", "main"))
			if err != nil || got != c.want {
				t.Errorf("landed: %v, %v; want %v", got, err, c.want)
			}
			if after := gitIn(t, dir, "count-objects", "-v"); after != before {
				t.Errorf("objects were written:\n%s\n%s", before, after)
			}
		})
	}
}

// TestLandedOfNothing: commits that change nothing, and ones that are gone.
func TestLandedOfNothing(t *testing.T) {
	dir := newRepo(t)
	gitIn(t, dir, "switch", "-q", "-c", "topic")
	gitIn(t, dir, "commit", "-q", "--allow-empty", "-m", "nothing")
	topic := gitIn(t, dir, "rev-parse", "topic")
	gitIn(t, dir, "switch", "-q", "main")
	gitIn(t, dir, "commit", "-q", "--allow-empty", "-m", "nothing either")
	store, main := open(t, dir), gitIn(t, dir, "rev-parse", "main")
	for tip, want := range map[string]gitstore.Landing{topic: gitstore.NotLanded, strings.Repeat("1", 40): gitstore.MayHaveLanded} {
		if got, err := store.Landed(t.Context(), tip, main); got != want || err != nil {
			t.Errorf("%s landed: %v, %v; want %v", tip, got, err, want)
		}
	}
}

func TestHolder(t *testing.T) {
	dir := newRepo(t)
	gitIn(t, dir, "switch", "-q", "-c", "topic")
	tip := work(t, dir, "a", "1")
	mustDo(t, os.WriteFile(filepath.Join(dir, "a"), []byte("2"), 0o644))
	gitIn(t, dir, "stash")
	gitIn(t, dir, "branch", "renamed")
	gitIn(t, dir, "switch", "-q", "main")
	gitIn(t, dir, "branch", "-q", "-D", "topic")
	store := open(t, dir)
	if got, err := store.Holder(t.Context(), tip); got != "refs/heads/renamed" || err != nil {
		t.Errorf("held by %q, %v", got, err)
	}
	gitIn(t, dir, "branch", "-q", "-D", "renamed")
	if got, err := store.Holder(t.Context(), tip); got != "" || err != nil {
		t.Errorf("a stash counts: %q, %v", got, err)
	}
}
