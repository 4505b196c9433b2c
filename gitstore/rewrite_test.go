package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
)

const (
	leak     = "hunter2-leaked"
	leakPath = "domain/auth/token.yml"
)

// history imports commits as `git fast-import` reads them onto the branch.
func history(t testing.TB, dir, stream string) {
	t.Helper()
	gitInput(t, dir, stream, "fast-import", "--quiet", "--force")
}

// step is one commit of a stream: a mark, a message, and what follows.
func step(ref string, mark int, message, rest string) string {
	return fmt.Sprintf("commit refs/heads/%s\nmark :%d\nauthor A%d <a@x> %d +0530\ncommitter C <c@x> %d -0300\ndata %d\n%s\n%s\n",
		ref, mark, mark, 1700000000+mark, 1700000100+mark, len(message), message, rest)
}

func file(path, text string) string {
	return fmt.Sprintf("M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
}

// tangled is a history with a leak on one side of a merge, a second root, a
// file removed and put back, and a folder that has nothing else in it.
func tangled(t testing.TB, dir string) {
	t.Helper()
	history(t, dir, step("engram", 1, "begin", file("engram.yml", "format: 1\n"))+
		step("engram", 2, "add domain/db/port: it is 5432", file("domain/db/port.yml", "5432"))+
		step("engram", 3, "add domain/auth/token: it is "+leak, file(leakPath, leak))+
		step("side", 4, "add domain/db/host: h", "from :2\n"+file("domain/db/host.yml", "h"))+
		step("engram", 5, "merge side", "from :3\nmerge :4\n"+file("domain/db/host.yml", "h"))+
		step("other", 6, "another beginning", file("tool/ci/job.yml", "job"))+
		step("engram", 7, "merge another beginning", "from :5\nmerge :6\n"+file("tool/ci/job.yml", "job"))+
		step("engram", 8, "removed", "from :7\nD "+leakPath+"\n")+
		step("engram", 9, "back: "+leak, "from :8\n"+file(leakPath, leak+" again"))+
		step("engram", 10, "update domain/db/port: 5433", "from :9\n"+file("domain/db/port.yml", "5433"))+
		"reset refs/heads/side\nfrom 0000000000000000000000000000000000000000\n\n")
	gitIn(t, dir, "branch", "-D", "-q", "other")
}

func dropLeak() gitstore.Rewrite {
	return gitstore.Rewrite{
		Drop:    []string{leakPath, "domain/never/there.yml", "engram.yml/x.yml"},
		Message: func(m string) string { return strings.ReplaceAll(m, leak, "(purged)") },
		Last: func(r gitstore.Rewritten) ([]gitstore.Write, gitstore.Meta, error) {
			return []gitstore.Write{{Path: "engram.yml", Data: []byte("format: 1\npurged: " + r.First[0] + "\n")}}, gitstore.Meta{Message: "purge\n"}, nil
		},
	}
}

func always(r gitstore.Rewrite) func(string) (gitstore.Rewrite, error) {
	return func(string) (gitstore.Rewrite, error) { return r, nil }
}

// leaks counts the objects in a history that hold the leak.
func leaks(t testing.TB, dir, revision string) (n int) {
	t.Helper()
	names := gitIn(t, dir, "rev-list", "--objects", "--no-object-names", revision)
	for object := range strings.SplitSeq(gitInput(t, dir, names, "cat-file", "--batch"), "\n") {
		n += strings.Count(object, leak)
	}
	return n
}

func mine(state map[string]string) map[string]string {
	maps.DeleteFunc(state, func(name, _ string) bool { return strings.HasPrefix(name, "refs/engram") })
	return state
}

func TestRewriteHistory(t *testing.T) {
	dir := busyRepo(t)
	tangled(t, dir)
	gitIn(t, dir, "update-ref", "refs/remotes/origin/engram", "engram")
	old, before := gitIn(t, dir, "rev-parse", "engram"), mine(snapshot(t, dir))
	store := open(t, dir)
	preview := must(store.PreviewRewrite(t.Context(), "engram", dropLeak()))
	if gitIn(t, dir, "rev-parse", "engram") != old || leaks(t, dir, "engram") == 0 {
		t.Fatal("a preview changed the branch")
	}
	got, err := store.RewriteHistory(t.Context(), always(dropLeak()))
	if err != nil {
		t.Fatal(err)
	}
	name := func(revision string) string { return gitIn(t, dir, "rev-parse", revision) }
	want := gitstore.Rewritten{
		Old: old, New: name("engram"), Commits: 10, Changed: 6, First: []string{name(old + "~4^1")},
		Messages: []string{name(old + "~4^1"), name(old + "~1")}, Rescue: got.Rescue,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rewritten (-want +got):\n%s", diff)
	}
	preview.New, preview.Rescue = got.New, got.Rescue
	if diff := cmp.Diff(preview, got); diff != "" {
		t.Errorf("the preview said something else (-preview +done):\n%s", diff)
	}
	if n := leaks(t, dir, "engram"); n != 0 {
		t.Errorf("the leak is in %d places of the new history", n)
	}
	if diff := cmp.Diff(before, mine(snapshot(t, dir))); diff != "" {
		t.Errorf("the user's state changed (-before +after):\n%s", diff)
	}
	format := "--format=%an %ae %at %ai|%cn %ce %ct %ci|%s"
	log := func(revision string) string {
		return strings.ReplaceAll(gitIn(t, dir, "log", "--topo-order", format, revision), leak, "(purged)")
	}
	if diff := cmp.Diff(log(old), log("engram~1")); diff != "" {
		t.Errorf("authors, dates or order changed:\n%s", diff)
	}
	if name("engram~1~4^2~1") != name(old+"~4^2~1") || name("engram~1~3^2") != name(old+"~3^2") {
		t.Error("commits without the leak have other names")
	}
	files := contents(t, store, "engram")
	if _, there := files[leakPath]; there || len(files) != 4 || files["domain/db/port.yml"] != "5433" {
		t.Errorf("the tip holds %v", files)
	}
	fsck(t, dir)
	gitIn(t, dir, "update-ref", "refs/heads/engram", got.Rescue, got.New)
	if name("engram") != old || leaks(t, dir, "engram") == 0 {
		t.Error("the rescue reference does not bring the old history back")
	}
}

// TestRewriteAgain: what was rewritten once comes out the same, so that a clone
// that does it for itself gets the same commits.
func TestRewriteAgain(t *testing.T) {
	var tips []string
	for range 2 {
		dir := newRepo(t)
		tangled(t, dir)
		store := open(t, dir)
		r := dropLeak()
		r.Last = nil
		tips = append(tips, must(store.RewriteHistory(t.Context(), always(r))).New)
		again := must(store.RewriteHistory(t.Context(), always(r)))
		if again.New != tips[0] || again.Changed != 0 || again.Rescue != "" {
			t.Errorf("a second time: %+v", again)
		}
	}
	if tips[0] != tips[1] {
		t.Errorf("two clones made %v", tips)
	}
}

// TestRewriteTwins: two commits that differed in the leak alone become one, and
// the merge of them does not name it twice.
func TestRewriteTwins(t *testing.T) {
	dir := newRepo(t)
	twin := func(mark int, text string) string {
		return strings.Replace(step("engram", 1, "add", "from :9\n"+file(leakPath, text)), "mark :1\n", fmt.Sprintf("mark :%d\n", mark), 1)
	}
	history(t, dir, step("engram", 9, "begin", file("engram.yml", "x"))+twin(2, leak)+twin(3, leak+" too")+
		step("engram", 4, "merge", "from :2\nmerge :3\n"))
	got := must(open(t, dir).RewriteHistory(t.Context(), always(gitstore.Rewrite{Drop: []string{leakPath}})))
	if n := gitIn(t, dir, "rev-list", "--count", "engram"); n != "3" || got.Changed != 3 || len(got.First) != 2 {
		t.Errorf("%s commits, %+v", n, got)
	}
	fsck(t, dir)
}

// TestRewriteKeepsTheRest: headers that nobody here knows, an encoding, bytes
// that are no UTF-8 and a message without a line feed stay; signatures go, and
// only from commits that change.
func TestRewriteKeepsTheRest(t *testing.T) {
	dir := newRepo(t)
	history(t, dir, step("engram", 1, "begin", file("engram.yml", "x"))+step("engram", 2, "leak", file(leakPath, leak)))
	raw := func(parent, revision, signature string) string {
		return gitInput(t, dir, "tree "+gitIn(t, dir, "rev-parse", revision+"^{tree}")+"\nparent "+gitIn(t, dir, "rev-parse", parent)+
			"\nauthor \xe9ve <e@x> 1700000000 +0100\ncommitter \xe9ve <e@x> 1700000000 +0100\n"+signature+
			"encoding ISO-8859-1\nlater some thing\n more of it\n\ncaf\xe9", "hash-object", "-t", "commit", "-w", "--stdin")
	}
	signature := "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n"
	early, late := raw("engram~1", "engram~1", signature), raw("engram", "engram", signature)
	tip := gitInput(t, dir, "merge", "commit-tree", "engram^{tree}", "-p", late, "-p", early)
	gitIn(t, dir, "update-ref", "refs/heads/engram", tip)
	got := must(open(t, dir).RewriteHistory(t.Context(), always(gitstore.Rewrite{Drop: []string{leakPath}})))
	if got.Unsigned != 1 || got.Changed != 3 {
		t.Errorf("%+v", got)
	}
	if now := gitIn(t, dir, "rev-parse", "engram^2"); now != early {
		t.Errorf("the signed commit without the leak is %s now", now)
	}
	was, is := gitIn(t, dir, "cat-file", "commit", late), gitIn(t, dir, "cat-file", "commit", "engram^1")
	_, was, _ = strings.Cut(strings.Replace(was, signature, "", 1), "author")
	_, is, _ = strings.Cut(is, "author")
	if was != is {
		t.Errorf("it was %q, now %q", was, is)
	}
}

func TestRewriteRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(dir string) string
		want    error
	}{
		"checked out": {func(dir string) string {
			gitIn(t, dir, "worktree", "add", "-q", filepath.Join(t.TempDir(), "tree"), "engram")
			return dir
		}, gitstore.ErrCheckedOut},
		"shallow": {func(dir string) string {
			clone := t.TempDir()
			gitIn(t, clone, "clone", "-q", "--bare", "--depth=3", "-b", "engram", "file://"+dir, ".")
			gitIn(t, clone, "config", "user.name", "Ada")
			gitIn(t, clone, "config", "user.email", "ada@example.com")
			return clone
		}, gitstore.ErrIncomplete},
		"grafted": {func(dir string) string {
			mustDo(t, os.WriteFile(filepath.Join(dir, ".git/info/grafts"), []byte(gitIn(t, dir, "rev-parse", "engram~2")+"\n"), 0o644))
			gitIn(t, dir, "config", "advice.graftFileDeprecated", "false")
			return dir
		}, gitstore.ErrIncomplete},
		"no branch": {func(dir string) string {
			gitIn(t, dir, "branch", "-D", "-q", "engram")
			return dir
		}, gitstore.ErrNoBranch},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newRepo(t)
			tangled(t, dir)
			dir = c.prepare(dir)
			store := open(t, dir)
			refs := gitIn(t, dir, "--git-dir="+store.CommonDir(), "for-each-ref")
			if _, err := store.RewriteHistory(t.Context(), always(dropLeak())); !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			if after := gitIn(t, dir, "--git-dir="+store.CommonDir(), "for-each-ref"); after != refs {
				t.Errorf("references changed:\n%s\n%s", refs, after)
			}
		})
	}
}

// TestRewriteBesideReplacement: a stand-in that git replace put in front of a
// commit is not taken for it.
func TestRewriteBesideReplacement(t *testing.T) {
	dir := newRepo(t)
	tangled(t, dir)
	gitIn(t, dir, "replace", "--graft", "engram~1")
	got := must(open(t, dir).RewriteHistory(t.Context(), always(dropLeak())))
	if got.Commits != 10 {
		t.Errorf("%d commits were seen", got.Commits)
	}
	gitIn(t, dir, "replace", "-d", gitIn(t, dir, "rev-parse", got.Old+"~1"))
	if n := leaks(t, dir, "engram"); n != 0 {
		t.Errorf("the leak is in %d places", n)
	}
}

// TestRewriteMeetsWriter: a commit that arrives while the history is made anew
// is made anew as well, whether its writer knows engram's lock or not.
func TestRewriteMeetsWriter(t *testing.T) {
	dir := newRepo(t)
	tangled(t, dir)
	store, other := open(t, dir), open(t, dir)
	calls := 0
	got, err := store.RewriteHistory(t.Context(), func(tip string) (gitstore.Rewrite, error) {
		r := dropLeak()
		last := r.Last
		r.Last = func(done gitstore.Rewritten) ([]gitstore.Write, gitstore.Meta, error) {
			switch calls++; calls {
			case 1: // engram's lock is free
				write(t, other, map[string]string{"domain/late/one.yml": "1"})
			case 2: // it is ours
				commit := gitInput(t, dir, "by hand "+leak, "commit-tree", "engram^{tree}", "-p", "engram")
				gitIn(t, dir, "update-ref", "refs/heads/engram", commit)
			}
			return last(done)
		}
		return r, nil
	})
	if err != nil || calls != 3 {
		t.Fatalf("%d attempts, %v", calls, err)
	}
	if _, err := store.Get(t.Context(), "engram", "domain/late/one.yml"); err != nil {
		t.Error(err)
	}
	if got.Commits != 12 || leaks(t, dir, "engram") != 0 {
		t.Errorf("%+v, %d leaks", got, leaks(t, dir, "engram"))
	}
	if refs := gitIn(t, dir, "for-each-ref", "--format=%(refname) %(objectname)", "refs/engram"); refs != got.Rescue+" "+got.Old {
		t.Errorf("rescue references:\n%s", refs)
	}
	fsck(t, dir)
}

// TestRewriteBesideWriters counts: whatever was acknowledged is there.
func TestRewriteBesideWriters(t *testing.T) {
	dir := newRepo(t)
	tangled(t, dir)
	store := open(t, dir)
	stop := make(chan struct{})
	rewrites := make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				rewrites <- n
				return
			default:
			}
			write(t, store, map[string]string{leakPath: fmt.Sprint(leak, n)})
			r := dropLeak()
			if _, err := store.RewriteHistory(context.Background(), always(r)); err != nil {
				t.Error(err)
			}
			n++
		}
	}()
	acknowledged := runUpdaters(t, dir, 3, 25, "")
	close(stop)
	t.Logf("%d rewrites beside %d updates", <-rewrites, len(acknowledged))
	messages := gitIn(t, dir, "log", "--format=%s", "engram")
	for _, line := range acknowledged {
		_, path, _ := strings.Cut(line, " ")
		if _, err := store.Get(t.Context(), "engram", path); err != nil || strings.Count(messages+"\n", path+"\n") != 1 {
			t.Errorf("%s: %v, in %d commits", path, err, strings.Count(messages+"\n", path+"\n"))
		}
	}
	if n := leaks(t, dir, "engram"); n != 0 {
		t.Errorf("the leak is in %d places", n)
	}
	fsck(t, dir)
}

// longHistory has so many commits over so many facts, so many a
// category; one of the first is the leak.
func longHistory(t testing.TB, dir string, commits, facts, category int) {
	t.Helper()
	var stream strings.Builder
	for i := range commits {
		n := i % facts
		path := fmt.Sprintf("domain/c%d/fact-%d.yml", n/category, n)
		text := fmt.Sprintf("key: %s\nclaim: it is %d\n", path, i)
		if i == commits/20 {
			path, text = leakPath, leak
		}
		stream.WriteString(step("engram", i+1, "update "+path, file(path, text)))
	}
	history(t, dir, stream.String())
}
