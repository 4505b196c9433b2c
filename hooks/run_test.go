package hooks_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"engram/facts"
	"engram/hooks"
	"engram/memory"
)

// fake is a memory that says what it is told to.
type fake struct {
	settle   func(context.Context) (memory.SettleResult, error)
	staged   func([]memory.StagedFile) (memory.StagedResult, error)
	evidence func([]memory.TouchedFile) (memory.EvidenceResult, error)
	share    func(remote string) error
}

func (f fake) Settle(ctx context.Context, _ memory.SettleInput) (memory.SettleResult, error) {
	if f.settle == nil {
		return memory.SettleResult{}, nil
	}
	return f.settle(ctx)
}

func (f fake) CheckStaged(_ context.Context, files []memory.StagedFile) (memory.StagedResult, error) {
	return f.staged(files)
}

func (f fake) Evidence(_ context.Context, files []memory.TouchedFile) (memory.EvidenceResult, error) {
	if f.evidence == nil {
		return memory.EvidenceResult{}, nil
	}
	return f.evidence(files)
}

func (f fake) Share(_ context.Context, remote string) error { return f.share(remote) }

// ran is what a hook did.
type ran struct {
	exit   int
	said   string
	opened int
}

// run runs a hook in a repository against a memory.
func (r *repo) run(m hooks.Memory, change func(*hooks.RunOptions)) ran {
	r.t.Helper()
	var said bytes.Buffer
	var opened atomic.Int32 // a hook that is called off goes on
	o := hooks.RunOptions{
		Name: hooks.PostMerge, Place: r.place(), Branch: "engram", Stderr: &said, Getenv: func(string) string { return "" }, Now: time.Now,
		Open: func(context.Context) (hooks.Memory, func(), error) {
			opened.Add(1)
			return m, func() {}, nil
		},
	}
	if change != nil {
		change(&o)
	}
	exit := hooks.Run(r.t.Context(), o)
	return ran{exit, said.String(), int(opened.Load())}
}

// memoryBranch begins or moves a branch that stands for the memory.
func (r *repo) memoryBranch() {
	r.git("commit", "--quiet", "--allow-empty", "-m", time.Now().String())
	r.git("update-ref", "refs/heads/engram", "HEAD")
}

// TestNothingToDo: the memory is opened only if something moved since it was
// settled, wherever git keeps the reference.
func TestNothingToDo(t *testing.T) {
	r := newRepo(t)
	expect := func(what string, want int) {
		t.Helper()
		if got := r.run(fake{}, nil); got.opened != want || got.exit != 0 || got.said != "" {
			t.Errorf("%s: %+v, want it opened %d times", what, got, want)
		}
	}
	expect("no memory", 0)
	r.memoryBranch()
	expect("it begins", 1)
	expect("nothing happened", 0)
	r.git("pack-refs", "--all")
	expect("packed", 1)
	expect("nothing happened", 0)
	r.git("update-ref", "refs/remotes/origin/engram", "HEAD")
	expect("fetched", 1)
	r.git("update-ref", "refs/remotes/origin/other", "HEAD")
	expect("other branches", 0)
	r.memoryBranch()
	expect("moved", 1)
	if got := r.run(fake{}, func(o *hooks.RunOptions) { o.Branch = "notes" }); got.opened != 0 {
		t.Errorf("another branch, which does not exist: %+v", got)
	}
	must(t, os.RemoveAll(r.path(".git/engram")))
	expect("what was derived is gone", 1)
}

// TestWhatMovesMeanwhile is for the next hook.
func TestWhatMovesMeanwhile(t *testing.T) {
	r := newRepo(t)
	r.memoryBranch()
	r.run(fake{settle: func(context.Context) (memory.SettleResult, error) {
		r.memoryBranch()
		return memory.SettleResult{Answer: memory.Answer{Revision: "an older one"}}, nil
	}}, nil)
	if got := r.run(fake{}, nil); got.opened != 1 {
		t.Errorf("%+v", got)
	}
	// What settling wrote itself is settled.
	r.memoryBranch()
	r.run(fake{settle: func(context.Context) (memory.SettleResult, error) {
		r.memoryBranch()
		return memory.SettleResult{Answer: memory.Answer{Revision: strings.TrimSpace(r.git("rev-parse", "HEAD"))}}, nil
	}}, nil)
	if got := r.run(fake{}, nil); got.opened != 0 {
		t.Errorf("%+v", got)
	}
}

// TestLine: one line, short, and harmless whatever facts say.
func TestLine(t *testing.T) {
	conflict := func(verdict, text string) memory.Conflict {
		return memory.Conflict{Clash: memory.Clash{Verdict: verdict, Explanation: text}}
	}
	key := []facts.Key{{}}
	for _, c := range []struct {
		result memory.SettleResult
		want   string
	}{
		{memory.SettleResult{}, ""},
		{memory.SettleResult{Arrived: 1, From: []string{"origin/engram"}}, "engram: 1 fact arrived from origin\n"},
		{memory.SettleResult{Arrived: 3, From: []string{"origin/engram"}, Opened: []memory.Conflict{conflict("genuine", "payment database: 5432 here, 6432 there")}},
			"engram: 3 facts arrived from origin, 1 conflict: payment database: 5432 here, 6432 there (engram conflicts)\n"},
		{memory.SettleResult{Opened: []memory.Conflict{conflict("evolution", "newer")}}, "engram: 1 update to confirm (engram conflicts)\n"},
		{memory.SettleResult{Closed: []memory.Conflict{{}, {}}, Rivals: key, Promoted: key, Dropped: key},
			"engram: 1 rival claim was kept, 1 fact of a merged branch now holds everywhere, 1 fact of a deleted branch ended, 2 conflicts were resolved\n"},
		{memory.SettleResult{Notes: []string{"origin/engram has more; it is checked out"}}, "engram: origin/engram has more; it is checked out\n"},
		{memory.SettleResult{Opened: []memory.Conflict{conflict("genuine", "a\x1b[2J\u202eb\nc")}}, "engram: 1 conflict: a [2J b c (engram conflicts)\n"},
	} {
		r := newRepo(t)
		r.memoryBranch()
		got := r.run(fake{settle: func(context.Context) (memory.SettleResult, error) { return c.result, nil }}, nil)
		if got.said != c.want {
			t.Errorf("%q, want %q", got.said, c.want)
		}
	}
	r := newRepo(t)
	r.memoryBranch()
	long := memory.SettleResult{Opened: []memory.Conflict{conflict("genuine", strings.Repeat("ö", 1000))}}
	got := r.run(fake{settle: func(context.Context) (memory.SettleResult, error) { return long, nil }}, nil).said
	if n := len([]rune(got)); n > 201 || !strings.HasSuffix(got, "… (engram conflicts)\n") {
		t.Errorf("%d characters: %q", n, got)
	}
}

// TestTimeBox: what takes too long is left, said once, and not tried again at
// once, whether it listens or not.
func TestTimeBox(t *testing.T) {
	for name, settle := range map[string]func(context.Context) (memory.SettleResult, error){
		"listens": func(ctx context.Context) (memory.SettleResult, error) {
			<-ctx.Done()
			return memory.SettleResult{}, ctx.Err()
		},
		"does not listen": func(context.Context) (memory.SettleResult, error) { select {} },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.memoryBranch()
			brief := func(o *hooks.RunOptions) { o.Timeout = 50 * time.Millisecond }
			got := r.run(fake{settle: settle}, brief)
			if got.exit != 0 || got.said != "engram: the audit of the facts that arrived takes longer than 50ms; run `engram audit`\n" {
				t.Errorf("%+v", got)
			}
			r.memoryBranch()
			if got := r.run(fake{settle: settle}, brief); got != (ran{}) {
				t.Errorf("tried again at once: %+v", got)
			}
			if name == "does not listen" {
				return // in a test the lock is still held
			}
			later := func(o *hooks.RunOptions) { o.Now = func() time.Time { return time.Now().Add(11 * time.Minute) } }
			if got := r.run(fake{}, later); got.opened != 1 {
				t.Errorf("not tried again: %+v", got)
			}
		})
	}
}

// TestFaults: what goes wrong is said once a day, and never stops git.
func TestFaults(t *testing.T) {
	r := newRepo(t)
	r.memoryBranch()
	broken := fake{settle: func(context.Context) (memory.SettleResult, error) {
		return memory.SettleResult{}, errors.New("the disk is full")
	}}
	if got := r.run(broken, nil); got.exit != 0 || got.said != "engram: post-merge was skipped: the disk is full\n" {
		t.Errorf("%+v", got)
	}
	if got := r.run(broken, nil); got.said != "" || got.opened != 1 {
		t.Errorf("%+v", got)
	}
	if got := r.run(broken, func(o *hooks.RunOptions) { o.Now = func() time.Time { return time.Now().Add(25 * time.Hour) } }); got.said == "" {
		t.Errorf("%+v", got)
	}
	panics := fake{settle: func(context.Context) (memory.SettleResult, error) { panic("index out of range") }}
	if got := r.run(panics, nil); got.exit != 0 || got.said != "engram: post-merge was skipped because of an internal error: index out of range\n" {
		t.Errorf("%+v", got)
	}
	if got := r.run(fake{}, func(o *hooks.RunOptions) { o.Getenv = func(string) string { return "1" } }); got != (ran{}) {
		t.Errorf("inside another: %+v", got)
	}
	if got := r.run(fake{}, func(o *hooks.RunOptions) { o.Name = "post-receive" }); got != (ran{}) {
		t.Errorf("a hook that engram does not know: %+v", got)
	}
}

// TestReadOnly: a state folder that cannot be written to costs time and nothing
// else.
func TestReadOnly(t *testing.T) {
	r := newRepo(t)
	r.memoryBranch()
	write(t, r.path(".git/engram"), "a file", 0o644)
	if got := r.run(fake{}, nil); got.exit != 0 || !strings.Contains(got.said, "was skipped") {
		t.Errorf("%+v", got)
	}
}

// TestTwoAtOnce: one works, the other does not wait, and nothing is missed.
func TestTwoAtOnce(t *testing.T) {
	r := newRepo(t)
	r.memoryBranch()
	began, goOn := make(chan bool), make(chan bool)
	var settled atomic.Int32
	slow := fake{settle: func(context.Context) (memory.SettleResult, error) {
		close(began)
		<-goOn
		settled.Add(1)
		return memory.SettleResult{}, nil
	}}
	first := make(chan ran)
	place := r.place()
	go func() {
		var said bytes.Buffer
		exit := hooks.Run(t.Context(), hooks.RunOptions{
			Name: hooks.PostMerge, Place: place, Branch: "engram", Stderr: &said, Getenv: func(string) string { return "" }, Now: time.Now,
			Open: func(context.Context) (hooks.Memory, func(), error) { return slow, func() {}, nil },
		})
		first <- ran{exit: exit, said: said.String()}
	}()
	<-began
	if got := r.run(fake{}, nil); got != (ran{}) {
		t.Errorf("the second: %+v", got)
	}
	r.git("update-ref", "refs/remotes/origin/engram", "HEAD") // what the second was run for
	close(goOn)
	if got := <-first; got != (ran{}) || settled.Load() != 1 {
		t.Errorf("the first: %+v", got)
	}
	if got := r.run(fake{}, nil); got.opened != 1 {
		t.Errorf("the third: %+v", got)
	}
}

// TestEvidence: only what is staged is asked about, with what git calls it before and
// after.
func TestEvidence(t *testing.T) {
	r := newRepo(t)
	r.memoryBranch()
	write(t, r.path("a b.go"), "1\n2\n3\n4\n5\n", 0o644)
	write(t, r.path("ü.go"), "1\n", 0o644)
	write(t, r.path("unstaged.go"), "1\n", 0o644)
	r.git("add", ".")
	r.git("commit", "--quiet", "-m", "x")
	preCommit := func(o *hooks.RunOptions) { o.Name = hooks.PreCommit }
	none := fake{}
	r.run(none, nil)
	if got := r.run(none, preCommit); got.opened != 0 {
		t.Errorf("no fact has evidence, and yet: %+v", got)
	}
	must(t, os.RemoveAll(r.path(".git/engram")))
	if got := r.run(none, preCommit); got != (ran{}) {
		t.Errorf("nothing is staged, and yet: %+v", got)
	}
	write(t, r.path("a b.go"), "1\n2\nthree\n4\n5\n6\n", 0o644)
	write(t, r.path("ü.go"), "2\n", 0o644)
	r.git("add", ".")
	write(t, r.path("unstaged.go"), "2\n", 0o644)
	var asked [][]memory.TouchedFile
	key := facts.Key{Namespace: "domain", Category: "x", Identifier: "y"}
	m := fake{evidence: func(files []memory.TouchedFile) (memory.EvidenceResult, error) {
		asked = append(asked, append([]memory.TouchedFile(nil), files...))
		e := memory.Evidence{Key: key, Claim: "It holds.", Ref: "repo:a b.go#L3", Freshness: memory.Drifted}
		return memory.EvidenceResult{Any: true, Touched: []memory.Evidence{e, e, e, e, e, e}, Omitted: 1}, nil
	}}
	got := r.run(m, preCommit)
	want := "engram: this commit changes the evidence of 7 facts; are they still true?\n" + strings.Repeat("  domain/x/y: It holds. (repo:a b.go#L3)\n", 5) +
		"  … and 1 more\n  if so, after this commit: engram verify KEY --commit\n  if not: engram commit CLAIM --key KEY --operation update\n"
	if got.exit != 0 || got.said != want {
		t.Errorf("%+v", got)
	}
	blob := func(spec string) string { return strings.TrimSpace(r.git("rev-parse", spec)) }
	wanted := []memory.TouchedFile{
		{Path: "a b.go", Before: blob("HEAD:a b.go"), After: blob(":a b.go")},
		{Path: "ü.go", Before: blob("HEAD:ü.go"), After: blob(":ü.go")},
	}
	if len(asked) != 1 || !slices.Equal(asked[0], wanted) {
		t.Errorf("asked %v, want %v", asked, wanted)
	}
}

// TestStagedFacts: what is checked is what the commit will hold, whatever index
// git makes it from.
func TestStagedFacts(t *testing.T) {
	r := newRepo(t)
	r.memoryBranch()
	r.git("checkout", "--quiet", "engram")
	write(t, r.path("domain/x/a.yml"), "staged\n", 0o644)
	write(t, r.path("domain/x/gone.yml"), "gone\n", 0o644)
	r.git("add", ".")
	r.git("commit", "--quiet", "-m", "x")
	write(t, r.path("domain/x/a.yml"), "staged again\n", 0o644)
	write(t, r.path("domain/x/large.yml"), strings.Repeat("x", facts.MaxFile+1), 0o644)
	r.git("rm", "--quiet", "domain/x/gone.yml")
	r.git("add", ".")
	write(t, r.path("domain/x/a.yml"), "not staged\n", 0o644)
	var checked []memory.StagedFile
	result := memory.StagedResult{}
	m := fake{staged: func(files []memory.StagedFile) (memory.StagedResult, error) { checked = files; return result, nil }}
	preCommit := func(o *hooks.RunOptions) { o.Name = hooks.PreCommit }
	if got := r.run(m, preCommit); got.exit != 0 || got.said != "" {
		t.Errorf("%+v", got)
	}
	if len(checked) != 2 || string(checked[0].Data) != "staged again\n" || checked[1].Path != "domain/x/large.yml" || checked[1].Data != nil {
		t.Errorf("checked %v", checked)
	}
	// Another index, named from the top of the work tree.
	must(t, os.Rename(r.path(".git/index"), r.path(".git/next-index")))
	r.git("read-tree", "HEAD")
	if r.run(m, preCommit); len(checked) != 2 {
		t.Errorf("checked %v", checked)
	}
	checked = nil
	withIndex := func(o *hooks.RunOptions) {
		preCommit(o)
		o.Getenv = func(name string) string {
			return map[string]string{"GIT_INDEX_FILE": filepath.FromSlash(".git/next-index")}[name]
		}
	}
	if r.run(m, withIndex); len(checked) != 2 {
		t.Errorf("checked %v", checked)
	}
	result = memory.StagedResult{Refused: true, Secrets: []memory.StagedSecret{{Path: "domain/x/a.yml", Field: "claim", Rule: "token"}},
		Findings: []memory.Finding{{Path: "domain/x/b.yml", Severity: memory.SeverityError, Field: "claim", Problem: "is empty"}, {Severity: memory.SeverityAdvice}},
		Clashes:  []memory.StagedClash{{Clash: memory.Clash{Explanation: "5 here, 6 there"}, Key: "domain/x/a", With: "domain/x/c"}}}
	want := "engram: 3 problems in the staged files:\n  domain/x/a.yml (claim) looks like a secret: token\n  domain/x/b.yml: claim is empty\n" +
		"  domain/x/a against domain/x/c: 5 here, 6 there\nengram: the commit was stopped; git commit --no-verify commits anyway\n"
	if got := r.run(m, withIndex); got.exit != hooks.Refused || got.said != want {
		t.Errorf("%+v", got)
	}
}

// TestPush: the memory goes along where that is set, to a remote that has it.
func TestPush(t *testing.T) {
	r := newRepo(t)
	r.memoryBranch()
	var shared []string
	m := fake{share: func(remote string) error { shared = append(shared, remote); return nil }}
	push := func(on bool, moves string) ran {
		shared = nil
		return r.run(m, func(o *hooks.RunOptions) {
			o.Name, o.Push, o.Args, o.Stdin = hooks.PrePush, on, []string{"origin", "url"}, strings.NewReader(moves)
		})
	}
	code := "refs/heads/main 1 refs/heads/main 2\n"
	push(true, code)
	if len(shared) != 0 {
		t.Error("shared with a remote that does not have it")
	}
	r.git("update-ref", "refs/remotes/origin/engram", "HEAD")
	if push(true, code); len(shared) != 0 {
		t.Error("shared what the remote has")
	}
	r.memoryBranch()
	if push(false, code); len(shared) != 0 {
		t.Error("shared unasked")
	}
	if push(true, code+"refs/heads/engram 1 refs/heads/engram 2\n"); len(shared) != 0 {
		t.Error("pushed what the push has itself")
	}
	if got := push(true, code); got.exit != 0 || got.said != "" || len(shared) != 1 || shared[0] != "origin" {
		t.Errorf("%+v, shared with %v", got, shared)
	}
	m.share = func(string) error { return errors.New("rejected") }
	if got := push(true, code); got.exit != 0 || got.said != "engram: the memory was not pushed to origin: rejected\n" {
		t.Errorf("%+v", got)
	}
}

// TestLocate: the repository is the one that git says.
func TestLocate(t *testing.T) {
	r := newRepo(t)
	base := filepath.Dir(r.dir)
	tree := filepath.Join(base, "tree")
	r.git("worktree", "add", "--quiet", tree)
	must(t, os.MkdirAll(r.path("sub/dir"), 0o755))
	for _, c := range []struct {
		name, dir, gitDir, workTree string
		want                        hooks.Place
	}{
		{"found", r.path("sub/dir"), "", "", hooks.Place{GitDir: r.path(".git"), CommonDir: r.path(".git"), WorkTree: r.dir, Open: r.path("sub/dir")}},
		{"relative", r.dir, ".git", "", hooks.Place{GitDir: r.path(".git"), CommonDir: r.path(".git"), WorkTree: r.dir, Open: r.dir}},
		{"linked", tree, "", "", hooks.Place{GitDir: r.path(".git/worktrees/tree"), CommonDir: r.path(".git"), WorkTree: tree, Open: tree}},
		{"linked, named", tree, r.path(".git/worktrees/tree"), "", hooks.Place{GitDir: r.path(".git/worktrees/tree"), CommonDir: r.path(".git"), WorkTree: tree, Open: tree}},
		{"from elsewhere", r.home, r.path(".git"), r.home, hooks.Place{GitDir: r.path(".git"), CommonDir: r.path(".git"), WorkTree: r.home, Open: r.dir}},
		{"in the git directory", r.path(".git"), ".", "", hooks.Place{GitDir: r.path(".git"), CommonDir: r.path(".git"), Open: r.path(".git")}},
	} {
		env := map[string]string{"GIT_DIR": c.gitDir, "GIT_WORK_TREE": c.workTree}
		got, err := hooks.Locate(c.dir, func(name string) string { return env[name] })
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
	if _, err := hooks.Locate(base, nil); !errors.Is(err, hooks.ErrNoRepository) {
		t.Errorf("error %v", err)
	}
	if _, err := hooks.Locate(r.dir, func(string) string { return "/nowhere" }); !errors.Is(err, hooks.ErrNoRepository) {
		t.Errorf("error %v", err)
	}
}
