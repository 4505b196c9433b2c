package memory_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/gitstore"
	"engram/memory"
)

const (
	weak      = "hunter2" // what no scanner takes for a secret
	weakClaim = "The staging database takes the password hunter2 from everybody."
	weakKey   = "domain/db/password"
)

// leaked is a memory in which a password got through: in two versions of a fact,
// in messages, in a conflict and in the detail of another fact.
func leaked(t *testing.T) bench {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "Gateways listen on port 8443.", Key: "domain/infra/gateway", Scope: "infra"})
	m.commit(memory.CommitInput{Claim: weakClaim, Key: weakKey, Detail: "It stands in the vault as " + weak + " too.", Scope: "db"})
	m.commit(memory.CommitInput{Claim: "The staging database takes the password hunter2-new from everybody.", Key: weakKey})
	m.commit(memory.CommitInput{Claim: "The limit is 1000 a second.", Key: "domain/auth/limit", Detail: "Ask before you read " + weakKey + "."})
	m.commit(memory.CommitInput{Claim: "See domain/db/password/old and domain/db/passwords for more.", Key: "domain/db/other"})
	return m
}

// remains lists where under the repository the password still is: objects of the
// branch, and files beside git's.
func remains(t *testing.T, m bench) (where []string) {
	t.Helper()
	for line := range strings.SplitSeq(gitIn(t, m.dir, "rev-list", "--objects", "engram"), "\n") {
		name, path, _ := strings.Cut(line, " ")
		if strings.Contains(gitIn(t, m.dir, "cat-file", "-p", name), weak) {
			where = append(where, strings.TrimSpace("object "+path))
		}
	}
	err := filepath.WalkDir(filepath.Join(m.dir, ".git", "engram"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), weak) {
			where = append(where, path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return where
}

func TestPurge(t *testing.T) {
	m := leaked(t)
	ctx := t.Context()
	if _, err := m.Audit(ctx, memory.AuditInput{}); err != nil {
		t.Fatal(err)
	}
	m.query(memory.QueryInput{Question: "password"})
	if pack, err := m.Pack(ctx, memory.PackInput{About: "the password of the database"}); err != nil || !strings.Contains(pack.Text(), weak) {
		t.Fatalf("the brief does not quote the password: %v\n%s", err, pack.Text())
	}
	old := m.tip()
	gitIn(t, m.dir, "tag", "before", old)
	gitIn(t, m.dir, "update-ref", "refs/remotes/origin/engram", old)
	refs := gitIn(t, m.dir, "for-each-ref", "refs/heads/main", "refs/tags", "refs/remotes")
	if len(remains(t, m)) < 4 {
		t.Fatalf("the password is in %v alone", remains(t, m))
	}
	in := memory.PurgeInput{Keys: []string{weakKey, weakKey}, Reason: "it got through"}
	preview, err := m.Purge(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	if m.tip() != old || preview.Applied || preview.Revision != old || preview.Rescue != "" {
		t.Fatalf("a preview did something: %+v", preview)
	}
	if diff := cmp.Diff([]memory.Mention{{Path: "domain/auth/limit.yml", Stands: true, Names: true}}, preview.Mentions); diff != "" {
		t.Errorf("mentions:\n%s", diff)
	}
	if len(preview.Versions) != 2 || preview.Versions[0].FactID != m.get(weakKey).FactID || len(preview.Messages) != 2 ||
		preview.Commits != 6 || preview.Rewritten != 4 || !slices.Equal(preview.Refs, []string{"refs/remotes/origin/engram", "refs/tags/before"}) {
		t.Errorf("preview: %+v", preview)
	}
	in.Apply = true
	done, err := m.Purge(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	if done.Revision != m.tip() || !done.Applied || len(done.Notes) > 0 || gitIn(t, m.dir, "rev-parse", done.Rescue) != old {
		t.Errorf("done: %+v", done)
	}
	done.Answer, done.Applied, done.Rescue, done.Reflog, done.Refs, done.Next = preview.Answer, false, "", preview.Reflog, preview.Refs, preview.Next
	if diff := cmp.Diff(preview, done, cmp.AllowUnexported(memory.PurgeResult{})); diff != "" {
		t.Errorf("the preview said something else (-preview +done):\n%s", diff)
	}
	if left := remains(t, m); len(left) > 0 {
		t.Errorf("the password is still in %v", left)
	}
	if after := gitIn(t, m.dir, "for-each-ref", "refs/heads/main", "refs/tags", "refs/remotes"); after != refs {
		t.Errorf("references changed:\n%s\n%s", refs, after)
	}
	subjects := strings.Split(gitIn(t, m.dir, "log", "--format=%s", "engram"), "\n")
	want := []string{
		"purge domain/db/password: it got through", "add domain/db/other: See domain/db/password/old and domain/db/passwords for more.",
		"add domain/auth/limit: The limit is 1000 a second.",
		"update domain/db/password: (purged)", "add domain/db/password: (purged)", "add domain/infra/gateway: Gateways listen on port 8443.", "begin the memory",
	}
	if diff := cmp.Diff(want, subjects); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	gitIn(t, m.dir, "fsck", "--strict")
	if _, err := m.Get(ctx, memory.GetInput{Key: weakKey}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("get: %v", err)
	}
	if r := m.query(memory.QueryInput{Question: "port of gateways"}); len(r.Results) == 0 {
		t.Error("nothing is found any more")
	}
	if audit, err := m.Audit(ctx, memory.AuditInput{}); err != nil || audit.Facts != 0 {
		t.Errorf("the next audit looks at %d facts, %v", audit.Facts, err)
	}
	if r, err := m.Doctor(ctx, memory.DoctorInput{}); err != nil || !r.Healthy {
		t.Errorf("doctor: %+v, %v", r, err)
	}
	if _, err := m.Purge(ctx, in); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("purged again: %v", err)
	}
	for _, text := range append(slices.Concat(done.Next, done.Notes), preview.Next...) {
		if strings.Contains(text, weak) || strings.Contains(text, "git push") || strings.Contains(text, "git update-ref") || strings.Contains(text, "--force") {
			t.Errorf("advice: %s", text)
		}
	}
}

// TestPurgeTakesConflicts: a conflict quotes its sides, so it goes with them.
func TestPurgeTakesConflicts(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "The gateway listens on port 8443.", Key: "domain/infra/gateway", Scope: "infra"})
	m.commit(memory.CommitInput{Claim: "The gateway listens on port 9443.", Key: "domain/infra/other", Scope: "infra"})
	m.commit(memory.CommitInput{Claim: "The cache holds 40 entries.", Key: "domain/cache/size", Scope: "cache"})
	m.commit(memory.CommitInput{Claim: "The cache holds 50 entries.", Key: "domain/cache/limit", Scope: "cache"})
	audit, err := m.Audit(t.Context(), memory.AuditInput{})
	if err != nil || audit.Known != 2 {
		t.Fatalf("%+v, %v", audit, err)
	}
	done, err := m.Purge(t.Context(), memory.PurgeInput{Keys: []string{"domain/infra/other"}, Apply: true})
	if err != nil || len(done.Conflicts) != 1 || len(done.Mentions) != 0 || len(done.Messages) != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if list, err := m.Conflicts(t.Context(), memory.ConflictsInput{}); err != nil || len(list.Conflicts) != 1 || list.Conflicts[0].KeyA+list.Conflicts[0].KeyB == "" {
		t.Errorf("%+v, %v", list, err)
	}
	all := gitIn(t, m.dir, "log", "-p", "--format=%B", "engram")
	if strings.Contains(all, "9443") || !strings.Contains(all, "8443") || !strings.Contains(all, "50 entries") {
		t.Errorf("the history says:\n%s", all)
	}
	if again, err := m.Audit(t.Context(), memory.AuditInput{}); err != nil || len(again.Opened)+len(again.Closed) > 0 {
		t.Errorf("the next audit: %+v, %v", again, err)
	}
}

// TestPurgeHidesMadeKeys: a key that nobody stated is made of the claim, and
// repeats it.
func TestPurgeHidesMadeKeys(t *testing.T) {
	m := newMemory(t)
	key := m.commit(memory.CommitInput{Claim: "Staging takes the password hunter2."}).Key
	if !strings.Contains(key, weak) {
		t.Fatalf("the key is %s", key)
	}
	m.commit(memory.CommitInput{Claim: "Something else altogether.", Key: "domain/x/y"})
	done, err := m.Purge(t.Context(), memory.PurgeInput{Keys: []string{key, "domain/x/y"}, Reason: "leak", Apply: true})
	if err != nil || len(done.Notes) != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if left := remains(t, m); len(left) > 0 {
		t.Errorf("the password is still in %v", left)
	}
	if said := gitIn(t, m.dir, "log", "--format=%B", "engram"); strings.Contains(said, weak) || !strings.Contains(said, "purge 2 facts: leak\n\npurge domain/x/y: leak") || !strings.Contains(said, "add (purged)") {
		t.Errorf("messages:\n%s", said)
	}
}

// TestPurgeOfTheGone: what was removed by hand, or stands only on a line that a
// merge decided against, is in the history all the same.
func TestPurgeOfTheGone(t *testing.T) {
	m := leaked(t)
	base := m.tip()
	m.removeFile("domain/db/password.yml")
	side := gitIn(t, m.dir, "commit-tree", base+"^{tree}", "-p", base+"~3", "-m", "side: "+weakClaim)
	merged := gitIn(t, m.dir, "commit-tree", "engram^{tree}", "-p", "engram", "-p", side, "-m", "merge")
	gitIn(t, m.dir, "update-ref", "refs/heads/engram", merged)
	done, err := m.Purge(t.Context(), memory.PurgeInput{Keys: []string{weakKey}, Apply: true})
	if err != nil || len(done.Versions) < 3 {
		t.Fatalf("%+v, %v", done, err)
	}
	if left := remains(t, m); len(left) > 0 {
		t.Errorf("the password is still in %v", left)
	}
}

// TestPurgeRedactsMessages: line by line, and no more than it has to.
func TestPurgeRedactsMessages(t *testing.T) {
	m := leaked(t)
	short := m.commit(memory.CommitInput{Claim: "pw x", Key: "domain/short/one"})
	lines := []struct{ before, after string }{
		{"import 3 facts", "import 3 facts"},
		{"", ""},
		{"add domain/x/a: says nothing", "add domain/x/a: says nothing"},
		{"add domain/x/a: " + weakClaim[:50], "add domain/x/a: " + weakClaim[:50]}, // not what messages cut
		{"add domain/x/a: well, " + weakClaim, "add domain/x/a: (purged)"},
		{"retire domain/x/b: see (domain/db/password)", "retire domain/x/b: (purged)"},
		{"retire domain/db/password", "retire domain/db/password"},
		{"retire domain/db/password (by bot)", "retire domain/db/password: (purged)"},
		{"see domain/db/password.yml", "(purged)"},
		{"it's " + weakClaim, "(purged)"},
		{"sam:domain/db/password@01ARZ3NDEKTSV4RRFFQ69G5FAV.", "(purged)"},
		{"domain/db/passwords, domain/db/password/sub, x/domain/db/password", "domain/db/passwords, domain/db/password/sub, x/domain/db/password"},
		{"add domain/x/c: pw x", "add domain/x/c: (purged)"},
		{"add domain/x/c: the pw xyz stays", "add domain/x/c: the pw xyz stays"},
		{"purge domain/db/password: an earlier one", "purge domain/db/password: an earlier one"},
		{"purge domain/db/password: " + weakClaim, "purge domain/db/password: (purged)"},
		{"Signed-off-by: Ada <ada@example.com>", "Signed-off-by: Ada <ada@example.com>"},
	}
	var before, after []string
	for _, l := range lines {
		before, after = append(before, l.before), append(after, l.after)
	}
	commit := gitIn(t, m.dir, "commit-tree", "engram^{tree}", "-p", "engram", "-m", strings.Join(before, "\n"))
	gitIn(t, m.dir, "update-ref", "refs/heads/engram", commit)
	if _, err := m.Purge(t.Context(), memory.PurgeInput{Keys: []string{weakKey, short.Key}, Apply: true}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(after, strings.Split(gitIn(t, m.dir, "log", "-1", "--format=%B", "engram~1"), "\n")); diff != "" {
		t.Errorf("the message (-want +got):\n%s", diff)
	}
}

func TestPurgePointsOut(t *testing.T) {
	m := leaked(t)
	m.commit(memory.CommitInput{Claim: "Nobody should know it.", Key: "domain/x/copy", Evidence: "she said: " + weakClaim})
	m.commit(memory.CommitInput{Claim: "Nobody should know it, really.", Key: "domain/x/copy"})
	m.commit(memory.CommitInput{Claim: "It is written down elsewhere.", Key: "domain/x/detail", Detail: "first\nIt stands in the vault as " + weak + " too."})
	m.commit(memory.CommitInput{Claim: "This one points there.", Key: "domain/x/pointer", Pointers: []memory.Pointer{{Ref: "sam:" + weakKey}}})
	m.place("notes.txt", "copied: "+weakClaim)
	r, err := m.Purge(t.Context(), memory.PurgeInput{Keys: []string{weakKey}})
	if err != nil {
		t.Fatal(err)
	}
	want := []memory.Mention{
		{Path: "domain/auth/limit.yml", Stands: true, Names: true},
		{Path: "domain/x/copy.yml", Repeats: true},
		{Path: "domain/x/detail.yml", Stands: true, Repeats: true},
		{Path: "domain/x/pointer.yml", Stands: true, Names: true},
		{Path: "notes.txt", Stands: true, Repeats: true},
	}
	if diff := cmp.Diff(want, r.Mentions); diff != "" {
		t.Errorf("mentions (-want +got):\n%s", diff)
	}
	if r.Versions[0].Key.String() != weakKey {
		t.Errorf("versions: %+v", r.Versions)
	}
}

func TestPurgeRefuses(t *testing.T) {
	m := leaked(t)
	var secret *memory.SecretError
	var key *facts.KeyError
	refused := func(in memory.PurgeInput, fits func(error) bool) {
		t.Helper()
		for _, in.Apply = range []bool{false, true} {
			if _, err := m.Purge(t.Context(), in); err == nil || !fits(err) || strings.Contains(err.Error(), weak) {
				t.Errorf("%+v: %v", in, err)
			}
		}
	}
	refused(memory.PurgeInput{}, func(err error) bool { return errors.Is(err, memory.ErrUsage) })
	refused(memory.PurgeInput{Keys: []string{"nokey"}}, func(err error) bool { return errors.As(err, &key) })
	refused(memory.PurgeInput{Keys: []string{weakKey, "domain/no/such"}}, func(err error) bool { return errors.Is(err, memory.ErrNotFound) })
	refused(memory.PurgeInput{Keys: []string{weakKey}, Reason: marker}, func(err error) bool { return errors.As(err, &secret) })
	refused(memory.PurgeInput{Keys: []string{weakKey}, Reason: "because " + weakClaim}, func(err error) bool { return errors.Is(err, memory.ErrUsage) })
	tree := filepath.Join(t.TempDir(), "tree")
	gitIn(t, m.dir, "worktree", "add", "-q", tree, "engram")
	if _, err := m.Purge(t.Context(), memory.PurgeInput{Keys: []string{weakKey}, Apply: true}); !errors.Is(err, gitstore.ErrCheckedOut) {
		t.Errorf("checked out: %v", err)
	}
	gitIn(t, m.dir, "worktree", "remove", "--force", tree)
	m.place("engram.yml", "{format: 1}\n")
	old, refs := m.tip(), gitIn(t, m.dir, "for-each-ref")
	if _, err := m.Purge(t.Context(), memory.PurgeInput{Keys: []string{weakKey}, Apply: true}); !errors.Is(err, memory.ErrNotMemory) {
		t.Errorf("a manifest that nothing can be added to: %v", err)
	}
	if m.tip() != old || gitIn(t, m.dir, "for-each-ref") != refs {
		t.Error("it did something all the same")
	}
}

// TestPurgedDoesNotComeBackUnseen: two clones purge for themselves and get the
// same history; one that was behind, and is merged by hand, is found out.
func TestPurgedDoesNotComeBackUnseen(t *testing.T) {
	m := leaked(t)
	behind := gitIn(t, m.dir, "commit-tree", "engram~1^{tree}", "-p", "engram~1", "-m", "its own")
	clone := t.TempDir()
	gitIn(t, clone, "clone", "-q", "--bare", m.dir, ".")
	configure(t, clone)
	other := openMemory(t, clone)
	in := memory.PurgeInput{Keys: []string{weakKey}, Apply: true}
	for _, b := range []bench{m, other} {
		if _, err := b.Purge(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	if ours, theirs := gitIn(t, m.dir, "rev-parse", "engram~1"), gitIn(t, clone, "rev-parse", "engram~1"); ours != theirs {
		t.Errorf("two clones made %s and %s", ours, theirs)
	}
	purged := func() bool {
		r, err := m.Doctor(t.Context(), memory.DoctorInput{})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(r.Checks, func(c memory.Check) bool { return c.Name == "purged" })
		return r.Checks[i].OK
	}
	if !purged() {
		t.Error("doctor complains of a purged branch")
	}
	clean := gitIn(t, m.dir, "rev-list", "--count", "engram")
	merged := gitIn(t, m.dir, "commit-tree", "engram^{tree}", "-p", "engram", "-p", behind, "-m", "merged by hand")
	gitIn(t, m.dir, "update-ref", "refs/heads/engram", merged)
	if purged() {
		t.Error("doctor does not see that it came back")
	}
	if _, err := m.Purge(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if left := remains(t, m); len(left) > 0 || !purged() {
		t.Errorf("purged a second time: %v", left)
	}
	// What was rewritten came out as it had before: the merge, its side and the
	// new purge are all that is more.
	if n := gitIn(t, m.dir, "rev-list", "--count", "engram"); n != "10" || clean != "7" {
		t.Errorf("%s commits, then %s", clean, n)
	}
	gitIn(t, m.dir, "fsck", "--strict")
}
