package memory_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/evidence"
	"engram/facts"
	"engram/memory"
)

// save writes files of the work tree; the name of a link ends in @.
func (b bench) save(files map[string]string) {
	b.t.Helper()
	for name, content := range files {
		file := filepath.Join(b.dir, strings.TrimSuffix(name, "@"))
		err := os.MkdirAll(filepath.Dir(file), 0o755)
		if err == nil && strings.HasSuffix(name, "@") {
			err = os.Symlink(content, file)
		} else if err == nil {
			err = os.WriteFile(file, []byte(content), 0o644)
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

// code commits files of the work tree, and names the commit.
func (b bench) code(files map[string]string) string {
	b.t.Helper()
	b.save(files)
	gitIn(b.t, b.dir, "add", "-A")
	gitIn(b.t, b.dir, "commit", "-q", "-m", "code")
	return gitIn(b.t, b.dir, "rev-parse", "HEAD")
}

func (b bench) deref(in memory.DerefInput) memory.DerefResult {
	b.t.Helper()
	r, err := b.Deref(b.t.Context(), in)
	if err != nil {
		b.t.Fatalf("%s: %v", in.Ref, err)
	}
	return r
}

const lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

var someCode = map[string]string{
	"src/a.go":        "package a\n\nfunc A() {\n\tb()\n}\n",
	"src/a_test.go":   "package a\n\nfunc TestA(t *testing.T) {\n\tA()\n}\n\nfunc TestB(t *testing.T) {}\n",
	"src/crlf.txt":    "one\r\ntwo\r\n",
	"src/sub/x":       "x\n",
	"docs/spec.md":    "# Spec\n\n## Budget rules\nAt most five.\n\n## Other\nx\n",
	"empty":           "",
	"picture":         "\x89PNG\x00\x01",
	"big.bin":         lfs,
	"src/link@":       "a.go",
	"folderlink@":     "src",
	"secret-outside@": "/etc/passwd",
}

func TestDeref(t *testing.T) {
	b := newMemory(t)
	at := b.code(someCode)
	b.save(map[string]string{"src/a.go": "changed since\n"}) // no work tree is read
	fact := b.commit(memory.CommitInput{Claim: "Sessions live 30 minutes.", Key: "domain/auth/session", Detail: "One.\nTwo."})
	for _, tt := range []struct{ ref, whole, excerpt string }{
		{"repo:src/a.go#L3-L4@" + at, "", "func A() {\n\tb()\n"},
		{"repo:src/a.go#L3-L4@" + at[:8], "repo:src/a.go#L3-L4@" + at, "func A() {\n\tb()\n"},
		{"repo:src/a.go#L5", "repo:src/a.go#L5@" + at, "}\n"},
		{"src/a.go:3-4", "repo:src/a.go#L3-L4@" + at, "func A() {\n\tb()\n"},
		{"src/a.go", "repo:src/a.go@" + at, someCode["src/a.go"]},
		{"src/crlf.txt:1", "repo:src/crlf.txt#L1@" + at, "one\r\n"},
		{"empty", "repo:empty@" + at, ""},
		{"src", "repo:src@" + at, "a.go\na_test.go\ncrlf.txt\nlink@\nsub/\n"},
		{"repo:src#L5", "repo:src#L5@" + at, "sub/\n"},
		{"docs/spec.md#BudgetRules", "artifact:docs/spec.md#sec=BudgetRules@" + at, "## Budget rules\nAt most five.\n\n"},
		{"artifact:docs/spec.md@" + at, "", someCode["docs/spec.md"]},
		{"src/a_test.go#TestA/case", "test:src/a_test.go#TestA/case@" + at, "func TestA(t *testing.T) {\n\tA()\n}\n"},
		{"test:src/a_test.go", "test:src/a_test.go@" + at, someCode["src/a_test.go"]},
	} {
		t.Run(tt.ref, func(t *testing.T) {
			got := b.deref(memory.DerefInput{Ref: tt.ref})
			want := tt.whole
			if want == "" {
				want = tt.ref
			}
			if got.Pointer.Ref != want || got.Excerpt != tt.excerpt || got.Truncated || got.Matches != nil {
				t.Errorf("%+v\nwant %s", got, want)
			}
			checkProof(t, b, got)
		})
	}
	got := b.deref(memory.DerefInput{Ref: "domain/auth/session"})
	if got.Pointer.Ref != "sam:domain/auth/session@"+fact.FactID || !strings.Contains(got.Excerpt, "claim: Sessions live 30 minutes.\ndetail: |-\n  One.\n  Two.\n") {
		t.Errorf("%+v", got)
	}
	expect(t, "digest", got.ContentDigest, "sha256:"+facts.ContentHash("Sessions live 30 minutes."))
}

// checkProof checks that the digest is that of the pointer, read with plain git.
func checkProof(t *testing.T, b bench, r memory.DerefResult) {
	t.Helper()
	expect(t, "digest", r.ContentDigest, evidence.Digest([]byte(r.Excerpt)))
	expect(t, "digest of the pointer", r.Pointer.Digest, r.ContentDigest)
	expect(t, "type of the pointer", r.Pointer.Type, strings.SplitN(r.Pointer.Ref, ":", 2)[0])
	expect(t, "tokens", r.Tokens, facts.Tokens(r.Excerpt))
	again := b.deref(memory.DerefInput{Ref: r.Pointer.Ref, Digest: r.ContentDigest, MaxTokens: 10_000, Strict: true})
	if again.Excerpt != r.Excerpt || again.Matches == nil || !*again.Matches {
		t.Errorf("again it is %+v", again)
	}
}

func TestDerefIsCutAtALine(t *testing.T) {
	b := newMemory(t)
	at := b.code(map[string]string{
		"a.md":      "# A\none two three\nfour five six\nseven eight nine\n# B\n",
		"a_test.go": "package a\n\nfunc TestA() {\n\tone two three\n\tfour\n}\n",
		"long":      strings.Repeat("word ", 1000) + "\n",
	})
	b.commit(memory.CommitInput{Claim: "It is so.", Key: "domain/a/b", Detail: strings.Repeat("word word\n", 100)})
	for ref, want := range map[string]string{
		"a.md":                         "repo:a.md#L1-L2@" + at,
		"a.md:2-4":                     "repo:a.md#L2-L3@" + at,
		"a.md#A":                       "repo:a.md#L1-L2@" + at,
		"a_test.go#TestA":              "repo:a_test.go#L3@" + at,
		"diff:HEAD~1.." + at + "#a.md": "",
	} {
		in := memory.DerefInput{Ref: ref, MaxTokens: 6}
		if want == "" {
			in.MaxTokens = 60
			want = "diff:" + gitIn(t, b.dir, "rev-parse", "HEAD~1") + ".." + at + "#a.md#L"
		}
		got := b.deref(in)
		if !strings.HasPrefix(got.Pointer.Ref, want) || !got.Truncated || got.Tokens > in.MaxTokens {
			t.Errorf("%s: %+v", ref, got)
		}
		checkProof(t, b, got)
	}
	got := b.deref(memory.DerefInput{Ref: "sam:domain/a/b", MaxTokens: 100})
	if !got.Truncated || got.Tokens > 100 || !strings.Contains(got.Excerpt, "word") || !strings.Contains(got.Excerpt, "created_at") {
		t.Errorf("%+v", got)
	}
	for _, ref := range []string{"long", "sam:domain/a/b"} {
		if _, err := b.Deref(t.Context(), memory.DerefInput{Ref: ref, MaxTokens: 5}); !errors.Is(err, memory.ErrUsage) || !strings.Contains(err.Error(), "not even its first line") {
			t.Error(err)
		}
	}
}

func TestDerefRefuses(t *testing.T) {
	b := newMemory(t)
	sub := newRepo(t)
	b.save(someCode)
	gitIn(t, b.dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub, "other")
	at := b.code(nil)
	inner := gitIn(t, sub, "rev-parse", "HEAD")
	for _, tt := range []struct {
		in   memory.DerefInput
		kind error
		says string
		hint string
	}{
		{memory.DerefInput{Ref: "src/aa.go"}, memory.ErrNotFound, "there is no src/aa.go at " + at[:12], "near it: src/a.go"},
		{memory.DerefInput{Ref: "srs/a.go"}, memory.ErrNotFound, "there is no srs/a.go", "near it: src"},
		{memory.DerefInput{Ref: "src/a.go/x"}, memory.ErrNotFound, "src/a.go is a file", ""},
		{memory.DerefInput{Ref: "domain/none/here"}, memory.ErrNotFound, "nor a fact of the key domain/none/here", "engram query"},
		{memory.DerefInput{Ref: "gone/long/ago.go"}, memory.ErrNotFound, "there is no gone/long/ago.go", "git log --all"},
		{memory.DerefInput{Ref: "src/a.go:5-9"}, memory.ErrNotFound, "it has 5 lines", ""},
		{memory.DerefInput{Ref: "docs/spec.md#Budgets rule"}, memory.ErrNotFound, `the nearest are "Budget rules"`, ""},
		{memory.DerefInput{Ref: "src/a_test.go#TestC"}, memory.ErrNotFound, `no test "TestC"`, ""},
		{memory.DerefInput{Ref: "repo:src/a.go@0123456789"}, memory.ErrNotFound, "no commit 0123456789 is in this repository", "git fetch"},
		{memory.DerefInput{Ref: "src/link"}, memory.ErrUsage, "src/link is a symbolic link", ""},
		{memory.DerefInput{Ref: "folderlink/a.go"}, memory.ErrUsage, "folderlink is a symbolic link", ""},
		{memory.DerefInput{Ref: "secret-outside:1"}, memory.ErrUsage, "is a symbolic link", ""},
		{memory.DerefInput{Ref: "other"}, memory.ErrUsage, "another repository (a submodule), at its commit " + inner, ""},
		{memory.DerefInput{Ref: "other/x"}, memory.ErrUsage, "another repository", ""},
		{memory.DerefInput{Ref: "picture"}, memory.ErrUsage, "picture is not text: 6 bytes, " + evidence.Digest([]byte(someCode["picture"])), ""},
		{memory.DerefInput{Ref: "picture:1"}, memory.ErrUsage, "not text", ""},
		{memory.DerefInput{Ref: "big.bin"}, memory.ErrUsage, "kept in Git LFS", "git lfs pull"},
		{memory.DerefInput{Ref: "big.bin:1"}, memory.ErrUsage, "kept in Git LFS", ""},
		{memory.DerefInput{Ref: "url:https://example.org/x"}, memory.ErrUsage, "engram fetches nothing", ""},
		{memory.DerefInput{Ref: "https://example.org/x"}, memory.ErrUsage, "engram fetches nothing", ""},
		{memory.DerefInput{Ref: "artifact:src#sec=x"}, memory.ErrUsage, "src is a folder", ""},
		{memory.DerefInput{Ref: "../x"}, memory.ErrUsage, "leaves the repository", ""},
		{memory.DerefInput{Ref: "/etc/passwd"}, memory.ErrUsage, "relative", ""},
		{memory.DerefInput{Ref: ".git/config"}, memory.ErrUsage, "into .git", ""},
		{memory.DerefInput{Ref: `src\a.go`}, memory.ErrUsage, "forward slashes", ""},
		{memory.DerefInput{Ref: ""}, memory.ErrUsage, "has no path", "engram help pointers"},
		{memory.DerefInput{Ref: "sam:domain/none/here"}, memory.ErrNotFound, "no such fact", ""},
		{memory.DerefInput{Ref: "sam:project:auth"}, memory.ErrNotFound, "is no fact", ""},
		{memory.DerefInput{Ref: "diff:main..nowhere#src/a.go"}, memory.ErrNotFound, "no commit nowhere", ""},
		{memory.DerefInput{Ref: "diff:HEAD..HEAD#src/a.go"}, memory.ErrNotFound, "nothing changed", ""},
		{memory.DerefInput{Ref: "src/a.go", MaxTokens: -1}, memory.ErrUsage, "cannot be asked for", ""},
		{memory.DerefInput{Ref: "src/a.go", MaxTokens: 1 << 30}, memory.ErrUsage, "cannot be asked for", ""},
		{memory.DerefInput{Ref: "src/a.go", Digest: "abc"}, memory.ErrUsage, "digest", ""},
		{memory.DerefInput{Ref: "repo:src/a.go#L1", Strict: true}, memory.ErrUsage, "names no commit", "whole, it is repo:src/a.go#L1@" + at},
		{memory.DerefInput{Ref: "repo:src/none.go", Strict: true}, memory.ErrUsage, "names no commit", "repo:src/none.go@4f2a9c1"},
		{memory.DerefInput{Ref: "src/a.go:1", Strict: true}, memory.ErrUsage, "is not one of repo", ""},
		{memory.DerefInput{Ref: "diff:HEAD..HEAD~1#src/a.go", Strict: true}, memory.ErrUsage, "names no commit", "whole, it is diff:" + at + ".."},
	} {
		t.Run(tt.in.Ref, func(t *testing.T) {
			_, err := b.Deref(t.Context(), tt.in)
			if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("error %v does not say %q", err, tt.says)
			}
			code, hint := classified(err)
			want := map[error]memory.Code{memory.ErrUsage: memory.CodeUsage, memory.ErrNotFound: memory.CodeNo}[tt.kind]
			if code != want || !strings.Contains(hint, tt.hint) {
				t.Errorf("code %s, hint %q; want %s, %q", code, hint, want, tt.hint)
			}
		})
	}
}

func TestDerefComparesDigests(t *testing.T) {
	b := newMemory(t)
	b.code(map[string]string{"a": "one\ntwo two two\n"})
	whole, long := evidence.Digest([]byte("one\ntwo two two\n")), 0
	for _, tt := range []struct {
		digest string
		want   any
	}{{whole, true}, {whole[:20], true}, {evidence.Digest([]byte("one\n")), false}, {"md5:0123456789abcdef", nil}} {
		for _, long = range []int{0, 2} { // also where not all of it is shown
			got := b.deref(memory.DerefInput{Ref: "a", Digest: tt.digest, MaxTokens: long})
			if tt.want == nil && (got.Matches != nil || len(got.Notes) != 1) || tt.want != nil && (got.Matches == nil || *got.Matches != tt.want) {
				t.Errorf("%s: %+v", tt.digest, got)
			}
		}
	}
}

// TestDerefInHistory covers what became of files and commits.
func TestDerefInHistory(t *testing.T) {
	b := newMemory(t)
	first := b.code(map[string]string{"old.txt": "one\n", "gone.txt": "two\n"})
	gitIn(t, b.dir, "mv", "old.txt", "new.txt")
	gitIn(t, b.dir, "rm", "-q", "gone.txt")
	second := b.code(nil)
	for ref, want := range map[string]string{"repo:old.txt@" + first: "one\n", "repo:gone.txt@" + first: "two\n", "new.txt": "one\n"} {
		expect(t, ref, b.deref(memory.DerefInput{Ref: ref}).Excerpt, want)
	}
	if _, err := b.Deref(t.Context(), memory.DerefInput{Ref: "old.txt"}); !errors.Is(err, memory.ErrNotFound) {
		t.Error(err)
	}
	diff := b.deref(memory.DerefInput{Ref: "diff:HEAD~1..main#gone.txt"})
	if diff.Pointer.Ref != "diff:"+first+".."+second+"#gone.txt" || !strings.HasSuffix(diff.Excerpt, "@@ -1 +0,0 @@\n-two\n") {
		t.Errorf("%+v", diff)
	}
	gitIn(t, b.dir, "reset", "-q", "--hard", first) // rebased away, and not cleared out yet
	expect(t, "unreachable", b.deref(memory.DerefInput{Ref: "repo:new.txt@" + second}).Excerpt, "one\n")
	gitIn(t, b.dir, "reflog", "expire", "--expire=now", "--all")
	gitIn(t, b.dir, "gc", "-q", "--prune=now")
	other := openMemory(t, b.dir)
	_, err := other.Deref(t.Context(), memory.DerefInput{Ref: "repo:new.txt@" + second})
	if !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), "rebased away") {
		t.Error(err)
	}

	shallow := filepath.Join(t.TempDir(), "clone")
	b.code(map[string]string{"more": "x\n"})
	gitIn(t, t.TempDir(), "clone", "-q", "--depth=1", "--no-single-branch", "file://"+b.dir, shallow)
	gitIn(t, shallow, "branch", "engram", "origin/engram")
	_, err = openMemory(t, shallow).Deref(t.Context(), memory.DerefInput{Ref: "repo:old.txt@" + first})
	if _, hint := classified(err); !errors.Is(err, memory.ErrNotFound) || !strings.Contains(hint, "git fetch --unshallow") {
		t.Errorf("%v (%s)", err, hint)
	}
}

func TestDerefOfFacts(t *testing.T) {
	b := newMemory(t)
	first := b.commit(memory.CommitInput{Claim: "Sessions live 30 minutes.", Key: "domain/auth/session", Scope: "auth", Agent: "claude"})
	second := b.commit(memory.CommitInput{Claim: "Sessions live 15 minutes.", Key: "domain/auth/session"})
	for ref, want := range map[string]string{
		"sam:domain/auth/session":                        second.FactID,
		"sam:domain/auth/session@" + second.FactID:       second.FactID,
		"sam:domain/auth/session@" + first.FactID:        first.FactID,
		"sam:domain/auth/session@" + first.Revision[:10]: first.FactID,
		"sam:domain/auth/session@" + second.Revision:     second.FactID,
	} {
		got := b.deref(memory.DerefInput{Ref: ref})
		expect(t, ref, got.Pointer.Ref, "sam:domain/auth/session@"+want)
	}
	old := b.deref(memory.DerefInput{Ref: "sam:domain/auth/session@" + first.FactID})
	want := "key: domain/auth/session\nid: " + first.FactID + "\nclaim: Sessions live 30 minutes.\nkind: fact\nvalid_from: "
	if !strings.HasPrefix(old.Excerpt, want) || !strings.Contains(old.Excerpt, "agent: claude") {
		t.Errorf("%s", old.Excerpt)
	}
	for _, version := range []string{"01ARZ3NDEKTSV4RRFFQ69G5FAV", gitIn(t, b.dir, "rev-parse", "main"), "v2"} {
		if _, err := b.Deref(t.Context(), memory.DerefInput{Ref: "sam:domain/auth/session@" + version}); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: %v", version, err)
		}
	}
	b.place("engram.yml", "format: 1\npermissions:\n  - {agent: eve, scope: auth, read: false}\n")
	var refused *memory.PermissionError
	if _, err := b.Deref(t.Context(), memory.DerefInput{Ref: "domain/auth/session", Agent: "eve"}); !errors.As(err, &refused) {
		t.Errorf("eve reads it: %v", err)
	}
	b.deref(memory.DerefInput{Ref: "domain/auth/session", Agent: "ada"})
}

func FuzzDeref(f *testing.F) {
	b := newMemory(f)
	at := b.code(someCode)
	for _, ref := range []string{"src/a.go:1-2", "repo:src/a.go#L1@" + at, "src", "src/link", "diff:HEAD..engram#src", "sam:domain/a/b", "../x", "docs/spec.md#Other", "folderlink/a.go"} {
		f.Add(ref)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		got, err := b.Deref(t.Context(), memory.DerefInput{Ref: ref})
		if err != nil {
			if !errors.Is(err, memory.ErrUsage) && !errors.Is(err, memory.ErrNotFound) {
				t.Errorf("%q: %v", ref, err)
			}
			return
		}
		if strings.Contains(got.Excerpt, "root:") {
			t.Errorf("%q leads out of the repository", ref)
		}
		if diff := cmp.Diff(evidence.Digest([]byte(got.Excerpt)), got.ContentDigest); diff != "" && got.Pointer.Ref[:4] != "sam:" {
			t.Error(diff)
		}
	})
}
