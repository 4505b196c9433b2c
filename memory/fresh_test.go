package memory_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"engram/memory"
)

// code is a repository with code, and a fact for each verdict that is looked at.
type code struct {
	bench
	n int
}

func newCode(t testing.TB) *code {
	t.Helper()
	c := &code{bench: newMemory(t)}
	c.file("auth/session.go", session)
	c.file("docs/spec.md", "# Spec\n\nIntro.\n\n## Budget rules\n\nA message has four evidence pointers at most.\n\n## Other rules\n\nNothing is said of them here.\n")
	c.file("auth/session_test.go", "package auth\n\nfunc TestExpiry(t *testing.T) {\n\tcheckThatSessionsExpire(t)\n}\n\nfunc TestSliding(t *testing.T) {\n\tcheckThatSessionsSlide(t)\n}\n")
	c.save("code")
	return c
}

const session = "package auth\n\n// lifetime is how long a session lives.\nconst lifetime = 30 * time.Minute\n\nfunc expire(s *Session) {\n\ts.until = now().Add(lifetime)\n}\n"

func (c *code) file(path, content string) {
	c.t.Helper()
	file := filepath.Join(c.dir, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func (c *code) save(message string) string {
	c.t.Helper()
	gitIn(c.t, c.dir, "add", "-A")
	gitIn(c.t, c.dir, "commit", "-q", "-m", message)
	return gitIn(c.t, c.dir, "rev-parse", "HEAD")
}

// rest commits a fact that rests on a pointer, and returns its key.
func (c *code) rest(ref string) string {
	c.t.Helper()
	c.n++
	key := fmt.Sprintf("domain/auth/fact-%d", c.n)
	c.commit(memory.CommitInput{Claim: fmt.Sprintf("Claim %d rests on something.", c.n), Key: key, Scope: "auth", Pointers: []memory.Pointer{{Ref: ref}}})
	return key
}

func (c *code) check(key, at string) memory.PointerCheck {
	c.t.Helper()
	r, err := c.Verify(c.t.Context(), memory.VerifyInput{Keys: []string{key}, At: at})
	if err != nil {
		c.t.Fatal(err)
	}
	if len(r.Checks) != 1 || len(r.Checks[0].Pointers) != 1 {
		c.t.Fatalf("%+v", r)
	}
	return r.Checks[0].Pointers[0]
}

func (c *code) want(key string, freshness memory.Freshness, now string) {
	c.t.Helper()
	if got := c.check(key, ""); got.Freshness != freshness || got.Now != now {
		c.t.Errorf("%s is %s at %q (%s), want %s at %q", key, got.Freshness, got.Now, got.Reason, freshness, now)
	}
}

func TestVerdicts(t *testing.T) {
	long := strings.Repeat("A line that nothing else in this repository has, and more.\n", 3)
	for name, test := range map[string]struct {
		ref    string
		change func(*code)
		want   memory.Freshness
		now    string
	}{
		"unchanged":             {"repo:auth/session.go#L4", func(*code) {}, memory.Fresh, ""},
		"lines above":           {"repo:auth/session.go#L3-L4", func(c *code) { c.file("auth/session.go", "// New.\n\n"+session) }, memory.Moved, "repo:auth/session.go#L5-L6"},
		"a line below":          {"repo:auth/session.go#L3-L4", func(c *code) { c.file("auth/session.go", session+"\nvar more int\n") }, memory.Fresh, ""},
		"edited":                {"repo:auth/session.go#L4", func(c *code) { c.file("auth/session.go", strings.Replace(session, "30", "15", 1)) }, memory.Drifted, ""},
		"a brace":               {"repo:auth/session.go#L8", func(c *code) { c.file("auth/session.go", "// New.\n"+session) }, memory.Drifted, ""},
		"carriage returns":      {"repo:auth/session.go#L3-L4", func(c *code) { c.file("auth/session.go", strings.ReplaceAll(session, "\n", "\r\n")) }, memory.Fresh, ""},
		"file, carriage return": {"repo:auth/session.go", func(c *code) { c.file("auth/session.go", strings.ReplaceAll(session, "\n", "\r\n")) }, memory.Fresh, ""},
		"renamed": {"repo:auth/session.go#L4", func(c *code) { gitIn(c.t, c.dir, "mv", "auth/session.go", "auth/life.go"); c.save("rename") },
			memory.Moved, "repo:auth/life.go#L4"},
		"renamed, only staged": {"repo:auth/session.go#L4", func(c *code) { gitIn(c.t, c.dir, "mv", "auth/session.go", "auth/life.go") }, memory.Moved, "repo:auth/life.go#L4"},
		"renamed by hand": {"repo:auth/session.go", func(c *code) {
			_ = os.Rename(filepath.Join(c.dir, "auth/session.go"), filepath.Join(c.dir, "life.go"))
		}, memory.Moved, "repo:life.go"},
		"renamed and edited elsewhere": {"repo:auth/session.go#L4", func(c *code) {
			gitIn(c.t, c.dir, "rm", "-q", "auth/session.go")
			c.file("auth/life.go", "// Moved.\n"+session)
			c.save("rename")
		}, memory.Moved, "repo:auth/life.go#L5"},
		"deleted": {"repo:auth/session.go#L4", func(c *code) { gitIn(c.t, c.dir, "rm", "-q", "auth/session.go"); c.save("delete") }, memory.Missing, ""},
		"taken to another file": {"repo:auth/session.go#L3-L4", func(c *code) {
			c.file("auth/session.go", "package auth\n")
			c.file("auth/const.go", "package auth\n\n// lifetime is how long a session lives.\nconst lifetime = 30 * time.Minute\n")
			c.save("split")
		}, memory.Moved, "repo:auth/const.go#L3-L4"},
		"section, lines above": {"artifact:docs/spec.md#sec=Budget rules", func(c *code) { edit(c.t, filepath.Join(c.dir, "docs/spec.md"), "Intro.", "Intro.\n\nMore.") }, memory.Fresh, ""},
		"section edited":       {"artifact:docs/spec.md#sec=Budget rules", func(c *code) { edit(c.t, filepath.Join(c.dir, "docs/spec.md"), "four", "five") }, memory.Drifted, ""},
		"section renamed":      {"artifact:docs/spec.md#sec=Budget rules", func(c *code) { edit(c.t, filepath.Join(c.dir, "docs/spec.md"), "## Budget rules", "## Limits") }, memory.Moved, "artifact:docs/spec.md#sec=limits"},
		"test, lines above": {"test:auth/session_test.go#TestSliding", func(c *code) {
			edit(c.t, filepath.Join(c.dir, "auth/session_test.go"), "package auth", "package auth\n\nvar x int")
		}, memory.Fresh, ""},
		"test edited":                 {"test:auth/session_test.go#TestSliding", func(c *code) { edit(c.t, filepath.Join(c.dir, "auth/session_test.go"), "Slide(", "Stop(") }, memory.Drifted, ""},
		"test renamed":                {"test:auth/session_test.go#TestSliding", func(c *code) { edit(c.t, filepath.Join(c.dir, "auth/session_test.go"), "TestSliding", "TestGliding") }, memory.Moved, "test:auth/session_test.go#TestGliding"},
		"folder":                      {"repo:auth", func(*code) {}, memory.Fresh, ""},
		"folder, something else":      {"repo:auth", func(c *code) { c.file("main.go", long); c.save("more") }, memory.Fresh, ""},
		"folder, a file in it":        {"repo:auth", func(c *code) { c.file("auth/more.go", long); c.save("more") }, memory.Drifted, ""},
		"folder, a file in it edited": {"repo:auth", func(c *code) { c.file("auth/session.go", long); c.save("other") }, memory.Fresh, ""},
		"folder, removed":             {"repo:auth", func(c *code) { _ = os.RemoveAll(filepath.Join(c.dir, "auth")) }, memory.Missing, ""},
		"folder, removed and staged":  {"repo:auth", func(c *code) { gitIn(c.t, c.dir, "rm", "-rq", "auth") }, memory.Missing, ""},
		"a link, not committed": {"repo:auth/session.go#L4", func(c *code) {
			_ = os.Rename(filepath.Join(c.dir, "auth/session.go"), filepath.Join(c.dir, "real.go"))
			_ = os.Symlink("../real.go", filepath.Join(c.dir, "auth/session.go"))
		}, memory.Drifted, ""},
		"section, file renamed": {"artifact:docs/spec.md#sec=Budget rules", func(c *code) { gitIn(c.t, c.dir, "mv", "docs/spec.md", "docs/rules.md"); c.save("rename") },
			memory.Moved, "artifact:docs/rules.md#sec=Budget rules"},
		"section, renamed with its file": {"artifact:docs/spec.md#sec=Budget rules", func(c *code) {
			gitIn(c.t, c.dir, "mv", "docs/spec.md", "docs/rules.md")
			edit(c.t, filepath.Join(c.dir, "docs/rules.md"), "## Budget rules", "## Limits")
			c.save("rename")
		}, memory.Moved, "artifact:docs/rules.md#sec=limits"},
		"test, file renamed": {"test:auth/session_test.go#TestSliding", func(c *code) {
			gitIn(c.t, c.dir, "mv", "auth/session_test.go", "auth/life_test.go")
			c.save("rename")
		}, memory.Moved, "test:auth/life_test.go#TestSliding"},
		"a page": {"url:https://example.com/", func(*code) {}, memory.Unchecked, ""},
		"a link": {"repo:auth/session.go#L4", func(c *code) {
			gitIn(c.t, c.dir, "mv", "auth/session.go", "real.go")
			_ = os.Symlink("../real.go", filepath.Join(c.dir, "auth/session.go"))
			c.save("link")
		}, memory.Drifted, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCode(t)
			key := c.rest(test.ref)
			test.change(c)
			c.want(key, test.want, test.now)
			c.save2()
			if at := c.check(key, "HEAD"); at.Freshness != test.want || at.Now != test.now {
				t.Errorf("committed: %+v", at)
			}
		})
	}
}

// save2 commits what there is, if there is anything.
func (c *code) save2() {
	gitIn(c.t, c.dir, "add", "-A")
	gitIn(c.t, c.dir, "commit", "-q", "--allow-empty", "-m", "as it is")
}

// TestVerdictsWithoutTheCommit: what was pinned was rebased away and cleared out, or
// lies beyond the end of a shallow clone.
func TestVerdictsWithoutTheCommit(t *testing.T) {
	c := newCode(t)
	lines, gone, folder := c.rest("repo:auth/session.go#L3-L4"), c.rest("repo:docs/spec.md#L7"), c.rest("repo:auth")
	c.file("auth/session.go", "// New.\n"+session)
	gitIn(t, c.dir, "rm", "-q", "docs/spec.md")
	gitIn(t, c.dir, "checkout", "-q", "--orphan", "again")
	c.save("again")
	gitIn(t, c.dir, "branch", "-D", "main")
	gitIn(t, c.dir, "reflog", "expire", "--expire=now", "--all")
	gitIn(t, c.dir, "gc", "-q", "--prune=now")
	d := openMemory(t, c.dir)
	c.Memory = d.Memory
	c.want(lines, memory.Moved, "repo:auth/session.go#L4-L5")
	c.want(gone, memory.Missing, "")
	c.file("auth/session.go", strings.Replace(session, "30", "15", 1))
	c.want(lines, memory.Drifted, "")
	// A folder is the names in it.
	c.save("changed")
	c.want(folder, memory.Fresh, "")
	c.file("auth/more.go", session)
	c.save("more")
	c.want(folder, memory.Drifted, "")
	gitIn(t, c.dir, "rm", "-q", "auth/more.go")
	c.file("auth/session.go", "// New.\n"+session)
	c.save("as it was")

	clone := t.TempDir()
	gitIn(t, clone, "clone", "-q", "--depth=1", "--no-single-branch", "file://"+c.dir, ".")
	configure(t, clone)
	gitIn(t, clone, "branch", "engram", "origin/engram")
	shallow := &code{bench: openMemory(t, clone)}
	shallow.want(lines, memory.Moved, "repo:auth/session.go#L4-L5")
}

// TestVerdictsOfFacts: pointers to other facts go by what these claim.
func TestVerdictsOfFacts(t *testing.T) {
	c := newCode(t)
	c.commit(memory.CommitInput{Claim: "Sessions live 30 minutes.", Key: "domain/auth/lifetime"})
	key := c.rest("sam:domain/auth/lifetime")
	c.want(key, memory.Fresh, "")
	c.commit(memory.CommitInput{Claim: "Sessions live 30 minutes.", Key: "domain/auth/lifetime", Evidence: "seen"})
	c.want(key, memory.Fresh, "")
	c.commit(memory.CommitInput{Claim: "Sessions live 15 minutes.", Key: "domain/auth/lifetime"})
	c.want(key, memory.Drifted, "")
	if _, err := c.Retire(t.Context(), "domain/auth/lifetime", "", ""); err != nil {
		t.Fatal(err)
	}
	c.want(key, memory.Missing, "")
}

// TestVerdictsOfWhatIsNoFile: stand-ins of git lfs, submodules and links go by the
// objects that are committed.
func TestVerdictsOfWhatIsNoFile(t *testing.T) {
	c := newCode(t)
	const standIn = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	c.file("big.bin", standIn)
	if err := os.Symlink("auth", filepath.Join(c.dir, "link")); err != nil {
		t.Fatal(err)
	}
	c.save("big")
	first := gitIn(t, c.dir, "rev-parse", "HEAD")
	gitIn(t, c.dir, "update-index", "--add", "--cacheinfo", "160000,"+first+",sub")
	gitIn(t, c.dir, "commit", "-q", "-m", "a submodule")
	if err := os.Mkdir(filepath.Join(c.dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	head := gitIn(t, c.dir, "rev-parse", "HEAD")
	big, link, sub := c.rest("repo:big.bin"), c.rest("repo:link@"+head), c.rest("repo:sub@"+head)
	c.file("big.bin", "what git lfs put in its place")
	for _, key := range []string{big, link, sub} {
		c.want(key, memory.Fresh, "")
	}
	if err := errors.Join(os.Remove(filepath.Join(c.dir, "link")), os.Symlink("docs", filepath.Join(c.dir, "link"))); err != nil {
		t.Fatal(err)
	}
	c.want(link, memory.Drifted, "")
	if err := os.Remove(filepath.Join(c.dir, "link")); err != nil {
		t.Fatal(err)
	}
	c.want(link, memory.Missing, "")
	c.file("big.bin", strings.Replace(standIn, "12345", "54321", 1))
	second := c.save("bigger")
	gitIn(t, c.dir, "update-index", "--add", "--cacheinfo", "160000,"+second+",sub")
	gitIn(t, c.dir, "commit", "-q", "-m", "another submodule")
	c.file("big.bin", "what git lfs put in its place, anew")
	c.want(big, memory.Drifted, "")
	c.want(sub, memory.Drifted, "")
}

// TestVerdictsElsewhere: in a linked work tree what stands there counts, in a bare
// clone HEAD.
func TestVerdictsElsewhere(t *testing.T) {
	c := newCode(t)
	key := c.rest("repo:auth/session.go#L3-L4")
	linked := filepath.Join(t.TempDir(), "linked")
	gitIn(t, c.dir, "worktree", "add", "-q", "-b", "topic", linked)
	there := &code{bench: openMemory(t, linked)}
	there.file("auth/session.go", strings.Replace(session, "30", "15", 1))
	there.want(key, memory.Drifted, "")
	c.want(key, memory.Fresh, "")

	c.file("auth/session.go", "// New.\n"+session)
	c.save("new")
	bare := filepath.Join(t.TempDir(), "bare.git")
	gitIn(t, c.dir, "clone", "-q", "--bare", c.dir, bare)
	(&code{bench: openMemory(t, bare)}).want(key, memory.Moved, "repo:auth/session.go#L4-L5")
	gitIn(t, c.dir, "stash", "list")
	if got := c.check(key, "HEAD~1"); got.Freshness != memory.Fresh {
		t.Errorf("at the commit before: %+v", got)
	}
}

// TestFreshnessProperties: whatever is inserted above, a pointer never drifts; whatever
// is edited inside, it is never fresh.
func TestFreshnessProperties(t *testing.T) {
	c := newCode(t)
	key := c.rest("repo:auth/session.go#L3-L4")
	rapid.Check(t, func(rt *rapid.T) {
		above := rapid.SliceOfN(rapid.StringMatching(`[a-z{}]{0,12}`), 0, 20).Draw(rt, "above")
		text := strings.Join(above, "\n") + "\n" + session
		c.file("auth/session.go", text)
		if got := c.check(key, ""); got.Freshness != memory.Fresh && got.Freshness != memory.Moved {
			rt.Fatalf("%q above: %+v", above, got)
		}
		at := strings.Index(text, "lifetime is") + rapid.IntRange(0, len("lifetime is how long a session lives")).Draw(rt, "at")
		c.file("auth/session.go", text[:at]+"§"+text[at:])
		if got := c.check(key, ""); got.Freshness == memory.Fresh || got.Freshness == memory.Moved {
			rt.Fatalf("edited at %d: %+v", at, got)
		}
	})
}

// TestFreshnessIsShown wherever facts are.
func TestFreshnessIsShown(t *testing.T) {
	c := newCode(t)
	drifted, moved := c.rest("repo:auth/session.go#L4"), c.rest("repo:auth/session.go#L6-L7")
	bare := "domain/auth/none"
	c.commit(memory.CommitInput{Claim: "Something rests on nothing.", Key: bare, Kind: "constraint"})
	c.file("auth/session.go", strings.Replace(session, "30 * time", "15 * time", 1)[len("package auth\n\n"):])
	want := map[string]memory.Freshness{drifted: memory.Drifted, moved: memory.Moved, bare: memory.Unchecked}
	see := func(where, key string, got memory.Freshness) {
		t.Helper()
		if got != want[key] {
			t.Errorf("%s shows %s as %s, want %s", where, key, got, want[key])
		}
	}
	q, err := c.Query(t.Context(), memory.QueryInput{Question: "what rests on something"})
	if err != nil || len(q.Results) != 3 {
		t.Fatalf("%+v %v", q, err)
	}
	for _, h := range q.Results {
		see("query", h.Key.String(), h.Freshness)
	}
	l, err := c.List(t.Context(), memory.ListInput{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range l.Facts {
		see("list", f.Key.String(), f.Freshness)
	}
	b, err := c.Brief(t.Context(), memory.BriefInput{Files: []string{"auth/session.go"}})
	if err != nil || len(b.Relevant) == 0 {
		t.Fatalf("%+v %v", b, err)
	}
	for _, f := range append(b.Relevant, b.Constraints...) {
		see("brief", f.Key.String(), f.Freshness)
	}
	if f := c.get(moved); f.Freshness != memory.Moved || f.Pointers[0].Now != "repo:auth/session.go#L4-L5" {
		t.Errorf("%+v", f)
	}
	past, err := c.Query(t.Context(), memory.QueryInput{Question: "what rests on something", KnownAtRevision: c.tip()})
	if err != nil || past.Results[0].Freshness != memory.Unchecked {
		t.Errorf("%+v %v", past.Results, err)
	}
}
