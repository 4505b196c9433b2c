package memory_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"engram/evidence"
	"engram/facts"
	"engram/memory"
)

func TestComplete(t *testing.T) {
	b := newMemory(t)
	at := b.code(map[string]string{
		"a.go": "one\ntwo\nthree\n", "moved.go": "one\ntwo\nthree\n", "edited.go": "one\ntwo\nthree\n", "double.go": "x\nx\n",
		"crlf.txt": "one\ntwo\n", "docs/spec.md": "# A\n## Budget rules\nfive\n", "a_test.go": "func TestA() {\n}\n", "gone.go": "one\n",
		"big.bin": lfs, "picture": "\x00\x01", "domain/a/both": "x\n", "link@": "a.go",
	})
	b.save(map[string]string{
		"moved.go": "zero\none\ntwo\nthree\n", "edited.go": "one\nTWO\nthree\n", "double.go": "new\nx\nx\n", "crlf.txt": "one\r\ntwo\r\n",
		"new.go": "new\n", "big.bin": "the large file itself\n", "domain/a/both": "x\n",
	})
	gitIn(t, b.dir, "add", "new.go")
	for _, err := range []error{os.Remove(filepath.Join(b.dir, "gone.go"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	fact := b.commit(memory.CommitInput{Claim: "It is so.", Key: "domain/auth/session"})
	b.commit(memory.CommitInput{Claim: "Both.", Key: "domain/a/both"})
	claim := "sha256:" + facts.ContentHash("It is so.")
	for _, tt := range []struct{ text, ref, of, note string }{
		{"a.go", "repo:a.go@" + at, "one\ntwo\nthree\n", ""},
		{"a.go:2", "repo:a.go#L2@" + at, "two\n", ""},
		{"a.go:2-3", "repo:a.go#L2-L3@" + at, "two\nthree\n", ""},
		{"repo:a.go#L2-L3", "repo:a.go#L2-L3@" + at, "two\nthree\n", ""},
		{"repo:a.go#L2-L3@" + at[:9], "repo:a.go#L2-L3@" + at, "two\nthree\n", ""},
		{"docs/spec.md#Budget rules", "artifact:docs/spec.md#sec=Budget rules@" + at, "## Budget rules\nfive\n", ""},
		{"a_test.go#TestA", "test:a_test.go#TestA@" + at, "func TestA() {\n}\n", ""},
		{"docs", "repo:docs@" + at, "spec.md\n", ""},
		{"moved.go:2-3", "repo:moved.go#L1-L2@" + at, "one\ntwo\n", "are repo:moved.go#L1-L2@" + at + " at HEAD"},
		{"edited.go:3", "repo:edited.go#L3@" + at, "three\n", ""},
		{"edited.go:2", "repo:edited.go#L2", "TWO\n", "not committed yet"},
		{"edited.go", "repo:edited.go", "one\nTWO\nthree\n", "not committed yet"},
		{"double.go:3", "repo:double.go#L3", "x\n", "not committed yet"},
		{"crlf.txt:2", "repo:crlf.txt#L2@" + at, "two\n", ""},
		{"gone.go", "repo:gone.go@" + at, "one\n", ""},
		{"new.go:1", "repo:new.go#L1", "new\n", "not committed yet"},
		{"big.bin", "repo:big.bin@" + at, lfs, ""},
		{"picture", "repo:picture@" + at, "\x00\x01", ""},
		{"domain/a/both", "repo:domain/a/both@" + at, "x\n", "there is a fact of that name as well: sam:domain/a/both"},
		{"domain/auth/session", "sam:domain/auth/session@" + fact.FactID, claim, ""},
		{"sam:domain/auth/session", "sam:domain/auth/session@" + fact.FactID, claim, ""},
		{"https://example.org/x", "url:https://example.org/x", "", ""},
	} {
		t.Run(tt.text, func(t *testing.T) {
			got, err := b.Complete(t.Context(), tt.text)
			digest := tt.of
			if digest != "" && digest != claim {
				digest = evidence.Digest([]byte(tt.of))
			}
			if err != nil || got.Ref != tt.ref || got.Digest != digest {
				t.Errorf("%+v, %v; want %s, %s", got, err, tt.ref, digest)
			}
			if (tt.note == "") != (len(got.Notes) == 0) || !strings.Contains(strings.Join(got.Notes, "\n"), tt.note) {
				t.Errorf("notes %q do not say %q", got.Notes, tt.note)
			}
		})
	}
	for text, says := range map[string]string{
		"b.go": "there is no b.go", "new.go:7": "in the work tree: nothing is there: it has 1 lines", "link": "symbolic link", "domain/none/here": "there is no domain", "docs/spec.md#Nothing": "no section",
		"repo:a.go@0123456": "no commit 0123456", "diff:HEAD..HEAD#a.go": "nothing changed", "../x": "leaves", "sam:domain/none/here": "no such fact",
	} {
		if _, err := b.Complete(t.Context(), text); !errors.Is(err, memory.ErrUsage) && !strings.HasPrefix(text, "sam:") || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v does not say %q", text, err, says)
		}
	}
}

func TestCompleteBeforeTheFirstCommit(t *testing.T) {
	b := newMemory(t)
	gitIn(t, b.dir, "symbolic-ref", "HEAD", "refs/heads/unborn")
	b.save(map[string]string{"a.go": "one\n"})
	gitIn(t, b.dir, "add", "a.go")
	got, err := b.Complete(t.Context(), "a.go:1")
	if err != nil || got.Ref != "repo:a.go#L1" || len(got.Notes) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := b.Complete(t.Context(), "b.go"); !errors.Is(err, memory.ErrUsage) {
		t.Error(err)
	}
	if _, err := b.Deref(t.Context(), memory.DerefInput{Ref: "a.go"}); !errors.Is(err, memory.ErrNotFound) {
		t.Error(err)
	}
}

// TestPointersAtCommit covers what becomes of pointers on their way to the branch.
func TestPointersAtCommit(t *testing.T) {
	b := newMemory(t)
	at := b.code(map[string]string{"a.go": "one\ntwo\n"})
	one := evidence.Digest([]byte("one\n"))
	long := "repo:" + strings.Repeat("x", 290)
	for _, tt := range []struct {
		in, want      memory.Pointer
		warns, refuse string
	}{
		{in: memory.Pointer{Ref: "a.go:1"}, want: memory.Pointer{Ref: "repo:a.go#L1@" + at, Digest: one}},
		{in: memory.Pointer{Ref: "repo:a.go#L1-L1"}, want: memory.Pointer{Ref: "repo:a.go#L1-L1@" + at, Digest: one}},
		{in: memory.Pointer{Ref: "repo:a.go#L1@" + at[:7]}, want: memory.Pointer{Ref: "repo:a.go#L1@" + at, Digest: one}},
		{in: memory.Pointer{Ref: "repo:a.go#L1@" + at, Digest: one}, want: memory.Pointer{Ref: "repo:a.go#L1@" + at, Digest: one}},
		{in: memory.Pointer{Ref: "repo:a.go#L1@" + at, Digest: one[:30]}, want: memory.Pointer{Ref: "repo:a.go#L1@" + at, Digest: one}},
		{in: memory.Pointer{Ref: "repo:a.go#L2@" + at, Digest: one}, refuse: "pointers[0]: the digest of repo:a.go#L2@" + at + " is " + evidence.Digest([]byte("two\n"))},
		{in: memory.Pointer{Ref: "a.go:2", Digest: one}, refuse: "the digest of"},
		{in: memory.Pointer{Ref: "repo:a.go#L2", Digest: one}, want: memory.Pointer{Ref: "repo:a.go#L2", Digest: one}, warns: "its target has changed since"},
		{in: memory.Pointer{Ref: "repo:a.go#L1", Digest: "md5:0123456789abcdef"}, want: memory.Pointer{Ref: "repo:a.go#L1", Digest: "md5:0123456789abcdef"}, warns: "cannot be compared"},
		{in: memory.Pointer{Ref: "repo:b.go#L1"}, want: memory.Pointer{Ref: "repo:b.go#L1"}, warns: "pointers[0]: there is no b.go at"},
		{in: memory.Pointer{Ref: "repo:a.go@0123456789"}, want: memory.Pointer{Ref: "repo:a.go@0123456789"}, warns: "kept as it is"},
		{in: memory.Pointer{Ref: "repo:a.go#L9@" + at}, want: memory.Pointer{Ref: "repo:a.go#L9@" + at}, warns: "it has 2 lines"},
		{in: memory.Pointer{Ref: "sam:project:auth@v2"}, want: memory.Pointer{Ref: "sam:project:auth@v2"}, warns: "is no fact"},
		{in: memory.Pointer{Ref: "url:https://example.org"}, want: memory.Pointer{Ref: "url:https://example.org"}},
		{in: memory.Pointer{Ref: "b.go"}, refuse: "pointers[0]: there is no b.go"},
		{in: memory.Pointer{Ref: "a.go:9"}, refuse: "in the work tree: nothing is there: it has 2 lines"},
		{in: memory.Pointer{Ref: "repo:../x"}, refuse: "leaves the repository"},
		{in: memory.Pointer{Ref: "../x"}, refuse: "leaves the repository"},
		{in: memory.Pointer{Ref: "a.go", Digest: "x"}, refuse: "is not valid"},
		{in: memory.Pointer{Ref: long}, want: memory.Pointer{Ref: long}, warns: "kept as it is"},
	} {
		t.Run(tt.in.Ref+tt.in.Digest, func(t *testing.T) {
			tip := b.tip()
			r, err := b.Commit(t.Context(), memory.CommitInput{Claim: "It is so: " + tt.in.Ref + tt.in.Digest, Key: "domain/a/b", Pointers: []memory.Pointer{tt.in}})
			if tt.refuse != "" {
				if code, _ := memory.Classify(err); code != memory.CodeUsage || !strings.Contains(err.Error(), tt.refuse) {
					t.Errorf("error %v does not say %q", err, tt.refuse)
				}
				expect(t, "tip", b.tip(), tip)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := b.get("domain/a/b").Pointers[0]
			got.Freshness, got.Now = "", ""
			expect(t, "pointer", got, tt.want)
			if said := slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, tt.warns) }); tt.warns != "" && !said || tt.warns == "" && len(r.Warnings) > 0 {
				t.Errorf("warnings %q do not say %q", r.Warnings, tt.warns)
			}
		})
	}
}

// TestPointersTellNoSecrets: who may not read a fact learns no digest of it.
func TestPointersTellNoSecrets(t *testing.T) {
	b := newMemory(t)
	b.commit(memory.CommitInput{Claim: "It is so.", Key: "domain/auth/session", Scope: "auth"})
	b.place("engram.yml", "format: 1\npermissions:\n  - {agent: eve, scope: auth, read: false}\n")
	r := b.commit(memory.CommitInput{Claim: "Eve points.", Key: "domain/eve/a", Agent: "eve", Pointers: []memory.Pointer{{Ref: "sam:domain/auth/session"}}})
	if got := b.get("domain/eve/a").Pointers[0]; got.Digest != "" || got.Ref != "sam:domain/auth/session" || len(r.Warnings) != 1 {
		t.Errorf("%+v, %+v", got, r)
	}
	var secret *memory.SecretError
	if _, err := b.Commit(t.Context(), memory.CommitInput{Claim: "It is so.", Pointers: []memory.Pointer{{Ref: "src/" + marker}}}); !errors.As(err, &secret) {
		t.Error(err)
	}
}
