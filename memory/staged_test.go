package memory_test

import (
	"path/filepath"
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

// touches are the facts of which the evidence is going to drift when what is staged is
// committed; what is staged is put back then.
func (c *code) touches() string {
	c.t.Helper()
	gitIn(c.t, c.dir, "add", "-A")
	var files []memory.TouchedFile
	fields := strings.Split(gitIn(c.t, c.dir, "diff", "--cached", "--raw", "-z", "-M", "--no-abbrev"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		meta := strings.Fields(fields[i])
		f := memory.TouchedFile{Path: fields[i+1], Before: strings.Trim(meta[2], "0"), After: strings.Trim(meta[3], "0")}
		if meta[4][0] == 'R' {
			i++
			f.From, f.Path = f.Path, fields[i+1]
		}
		if f.Before != "" {
			f.Before = meta[2]
		}
		if f.After != "" {
			f.After = meta[3]
		}
		files = append(files, f)
	}
	r, err := c.Evidence(c.t.Context(), files)
	if err != nil {
		c.t.Fatal(err)
	}
	var keys []string
	for _, e := range r.Touched {
		keys = append(keys, e.Key.Identifier+":"+string(e.Freshness))
	}
	gitIn(c.t, c.dir, "reset", "-q", "--hard")
	return strings.Join(keys, " ")
}

// TestEvidence: before a commit those facts are named of which the evidence will not
// stand any more, wherever it stands at HEAD.
func TestEvidence(t *testing.T) {
	c := newCode(t)
	if r, err := c.Evidence(t.Context(), nil); err != nil || r.Any {
		t.Errorf("%+v, %v", r, err)
	}
	for name, ref := range map[string]string{
		"file": "repo:auth/session.go", "lines": "repo:auth/session.go#L3-L4", "folder": "repo:auth", "doc": "artifact:docs/spec.md#sec=Budget rules",
		"test": "test:auth/session_test.go#TestSliding",
	} {
		c.commit(memory.CommitInput{Claim: "This rests on the " + name + " of its own.", Key: "domain/x/" + name, Pointers: []memory.Pointer{{Ref: ref}}})
	}
	c.commit(memory.CommitInput{Claim: "This rested on a file once.", Key: "domain/x/over", Pointers: []memory.Pointer{{Ref: "repo:auth/session.go"}}})
	if _, err := c.Retire(t.Context(), "domain/x/over", "", ""); err != nil {
		t.Fatal(err)
	}
	if r, err := c.Evidence(t.Context(), nil); err != nil || !r.Any || len(r.Touched) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	is := func(what, want string) {
		t.Helper()
		if got := c.touches(); got != want {
			t.Errorf("%s touches %q, want %q", what, got, want)
		}
	}
	c.file("auth/session.go", session+"\nvar more int\n")
	is("a line below", "file:drifted")
	c.file("auth/session.go", strings.Replace(session, "30", "15", 1))
	is("an edit", "file:drifted lines:drifted")
	c.file("auth/session.go", "package auth\n")
	c.file("auth/const.go", session)
	is("a file that took it over", "folder:drifted")
	gitIn(t, c.dir, "rm", "-q", "auth/session.go")
	is("its end", "file:missing folder:drifted lines:missing")
	gitIn(t, c.dir, "mv", "auth/session.go", "life.go")
	is("another name", "folder:drifted")
	edit(t, filepath.Join(c.dir, "docs/spec.md"), "Intro", "More")
	is("another section", "")
	edit(t, filepath.Join(c.dir, "docs/spec.md"), "four", "five")
	is("the section", "doc:drifted")
	edit(t, filepath.Join(c.dir, "auth/session_test.go"), "Slide(", "Stop(")
	is("the test", "test:drifted")

	// What moved since is looked for where it is, and what drifted is not told again.
	c.file("auth/session.go", "// Above.\n\n"+session)
	c.save("above")
	c.file("auth/session.go", "// Higher.\n\n"+session)
	is("what is above now", "")
	c.file("auth/session.go", "// Above.\n\n"+strings.Replace(session, "30", "15", 1))
	is("the lines where they are now", "lines:drifted")
	c.file("auth/session.go", strings.Replace(session, "30", "15", 1))
	c.save("fifteen")
	c.file("auth/session.go", strings.Replace(session, "30", "10", 1))
	is("what drifted already", "")
}
