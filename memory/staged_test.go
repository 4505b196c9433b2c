package memory_test

import (
	"strings"
	"testing"
	"time"

	"engram/facts"
	"engram/memory"
)

var staging = time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC)

// TestCheckStaged: what git would commit is held to what engram would write.
func TestCheckStaged(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "The payment database listens on port 5432.", Key: "domain/payments/port", Scope: "payments"})
	fact := func(key, claim, id string) memory.StagedFile {
		k, err := facts.ParseKey(key)
		if err != nil {
			t.Fatal(err)
		}
		f := facts.Fact{Key: k, ID: id, Lineage: id, Claim: claim, Scope: "payments"}
		f.ValidFrom = staging
		f.Provenance.Engineer, f.Provenance.CreatedAt = "Ada <ada@example.com>", staging
		return memory.StagedFile{Path: k.Path(), Data: facts.Marshal(f)}
	}
	const one, two = "01HX0000000000000000000001", "01HX0000000000000000000002"
	clashing := fact("domain/payments/other", "The payment database listens on port 6432.", one)
	for _, c := range []struct {
		name  string
		files []memory.StagedFile
		want  func(memory.StagedResult) bool
	}{
		{"nothing", nil, func(r memory.StagedResult) bool {
			return !r.Refused && len(r.Findings)+len(r.Clashes)+len(r.Secrets) == 0
		}},
		{"a fact", []memory.StagedFile{fact("domain/x/y", "Refunds need a manager above 500 EUR.", one)}, func(r memory.StagedResult) bool {
			return !r.Refused && len(r.Clashes) == 0 && r.Compared == 1
		}},
		{"a clash", []memory.StagedFile{clashing}, func(r memory.StagedResult) bool {
			return len(r.Clashes) == 1 && r.Clashes[0].Key == "domain/payments/other" && r.Clashes[0].With == "domain/payments/port" && !r.Refused
		}},
		{"a clash with what is staged too", []memory.StagedFile{clashing, fact("domain/payments/third", "The payment database listens on port 7432.", two)}, func(r memory.StagedResult) bool {
			return len(r.Clashes) == 3
		}},
		{"a clash with what is about to change", []memory.StagedFile{clashing, fact("domain/payments/port", "The payment database listens on port 6432.", two)}, func(r memory.StagedResult) bool {
			return len(r.Clashes) == 0
		}},
		{"too large", []memory.StagedFile{{Path: "domain/x/large.yml"}}, func(r memory.StagedResult) bool { return len(r.Findings) == 1 }},
		{"a manifest of the future", []memory.StagedFile{{Path: facts.ManifestPath, Data: []byte("format: 99\n")}}, func(r memory.StagedResult) bool { return len(r.Findings) == 1 }},
		{"a secret beside the facts", []memory.StagedFile{{Path: "README.md", Data: []byte("x" + marker)}}, func(r memory.StagedResult) bool { return r.Refused && len(r.Secrets) == 1 }},
	} {
		r, err := m.CheckStaged(t.Context(), c.files)
		if err != nil || !c.want(r) {
			t.Errorf("%s: %+v, %v", c.name, r, err)
		}
	}
}

// TestEvidence: a fact is found by the file that it points at, a folder above it,
// and lines of it.
func TestEvidence(t *testing.T) {
	m := newMemory(t)
	touched := func(files ...memory.TouchedFile) string {
		t.Helper()
		r, err := m.Evidence(t.Context(), files)
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, e := range r.Touched {
			keys = append(keys, e.Key.Identifier)
		}
		return strings.Join(keys, " ")
	}
	m.commit(memory.CommitInput{Claim: "Nothing rests on a file yet.", Key: "domain/x/none", Pointers: []memory.Pointer{{Ref: "url:https://example.com/a.go"}}})
	if r, err := m.Evidence(t.Context(), nil); err != nil || r.Any {
		t.Errorf("%+v, %v", r, err)
	}
	for name, ref := range map[string]string{
		"file": "repo:src/a.go", "lines": "repo:src/a.go#L10-L20", "folder": "repo:src", "doc": "artifact:docs/a.md#sec=Why", "test": "test:src/a_test.go#TestA",
	} {
		m.commit(memory.CommitInput{Claim: "This rests on the " + name + " of its own.", Key: "domain/x/" + name, Pointers: []memory.Pointer{{Ref: ref}}})
	}
	m.commit(memory.CommitInput{Claim: "This rested on a file once.", Key: "domain/x/over", Pointers: []memory.Pointer{{Ref: "repo:src/a.go"}}})
	if _, err := m.Retire(t.Context(), "domain/x/over", "", ""); err != nil {
		t.Fatal(err)
	}
	if r, err := m.Evidence(t.Context(), nil); err != nil || !r.Any || len(r.Touched) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, c := range []struct {
		file memory.TouchedFile
		want string
	}{
		{memory.TouchedFile{Path: "src/a.go"}, "file folder lines"},
		{memory.TouchedFile{Path: "src/a.go", Lines: [][2]int{{1, 9}, {21, 30}}}, "file folder"},
		{memory.TouchedFile{Path: "src/a.go", Lines: [][2]int{{20, 20}}}, "file folder lines"},
		{memory.TouchedFile{Path: "src/a.go", Lines: [][2]int{{21, 20}}}, "file folder"},
		{memory.TouchedFile{Path: "src/a.go", Lines: [][2]int{{20, 19}}}, "file folder lines"},
		{memory.TouchedFile{Path: "docs/a.md"}, "doc"},
		{memory.TouchedFile{Path: "src/a_test.go"}, "folder test"},
		{memory.TouchedFile{Path: "other/a.go"}, ""},
		{memory.TouchedFile{Path: "src.go"}, ""},
	} {
		if got := touched(c.file); got != c.want {
			t.Errorf("%+v touches %q, want %q", c.file, got, c.want)
		}
	}
}
