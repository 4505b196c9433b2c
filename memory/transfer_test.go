package memory_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/memory"
)

func (b bench) imp(text string, in memory.ImportInput) memory.ImportResult {
	b.t.Helper()
	r, err := b.Import(b.t.Context(), strings.NewReader(text), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b bench) exp(in memory.ExportInput) string {
	b.t.Helper()
	var out bytes.Buffer
	if _, err := b.Export(b.t.Context(), &out, in); err != nil {
		b.t.Fatal(err)
	}
	return out.String()
}

// TestExportIsImportedAsItWas: another repository gets the same facts, and a
// second import changes nothing.
func TestExportIsImportedAsItWas(t *testing.T) {
	a := newMemory(t)
	c := 0.75
	a.commit(memory.CommitInput{
		Claim: `He said: "1000 requests", é.`, Detail: "line one\n\n  line two", Key: "domain/auth/limit", Scope: "auth", Kind: "constraint",
		Type: "decision", Reach: "org", Agent: "bot", Source: "tool", Confidence: &c, Tags: []string{"a", "2026"}, TTL: "P1Y",
		Pointers: []memory.Pointer{{Ref: "repo:a.go#L1-L2@0123abc", Digest: "sha256:0123456789abcdef"}}, Evidence: "a.go:1",
	})
	a.commit(memory.CommitInput{Claim: "It was retired.", Key: "domain/auth/old"})
	a.commit(memory.CommitInput{Operation: "delete", Key: "domain/auth/old"})
	for _, format := range []memory.Format{memory.YAML, memory.JSONL} {
		text := a.exp(memory.ExportInput{Format: format, All: true})
		b := newMemory(t)
		b.clock.add(time.Hour) // retired by then
		first := b.imp(text, memory.ImportInput{Format: format})
		if first.Added != 1 || first.Retired != 1 || first.Duplicates != 0 {
			t.Errorf("%s: first import %+v", format, first)
		}
		for _, key := range []string{"domain/auth/limit", "domain/auth/old"} {
			was, is := gitIn(t, a.dir, "show", "engram:"+key+".yml"), gitIn(t, b.dir, "show", "engram:"+key+".yml")
			if was != is {
				t.Errorf("%s: %s was\n%s\nand is\n%s", format, key, was, is)
			}
		}
		again := b.imp(text, memory.ImportInput{Format: format})
		if again.Added+again.Updated+again.Retired != 0 || again.Duplicates != 2 || again.Revision != first.Revision {
			t.Errorf("%s: second import %+v", format, again)
		}
		if open := b.exp(memory.ExportInput{Format: format}); strings.Contains(open, "It was retired") {
			t.Errorf("%s: the export of what is open holds what is not", format)
		}
	}
}

func TestImportOfPlainRecords(t *testing.T) {
	m := newMemory(t)
	r := m.imp(`{"claim":"The port is 5432.","scope":"db","fact_type":"decision","pointers":["repo:db.go@0123abc"]}

{"claim":"The port is 5432.","scope":"db"}
{"claim":"Timeouts are 30 s.","key":"domain/net/timeout","agent_id":"other"}
`, memory.ImportInput{Format: memory.JSONL, Agent: "importer"})
	if r.Added != 2 || r.Duplicates != 1 {
		t.Errorf("import = %+v", r)
	}
	if f := m.get("domain/db/the-port-is-5432"); f.AgentID != "importer" || len(f.Pointers) != 1 {
		t.Errorf("first = %+v", f)
	}
	if f := m.get("domain/net/timeout"); f.AgentID != "other" {
		t.Errorf("second = %+v", f)
	}
	if n := gitIn(t, m.dir, "rev-list", "--count", "engram"); n != "2" {
		t.Errorf("%s commits, want the beginning and one for the import", n)
	}
}

func TestImportOfBadRecords(t *testing.T) {
	m := newMemory(t)
	tip := m.tip()
	good := `{"claim":"The port is 5432."}` + "\n"
	for name, c := range map[string]struct {
		text    string
		format  memory.Format
		problem string
	}{
		"no JSON":         {good + "{", memory.JSONL, "line 2"},
		"two values":      {`{"claim":"a b"} {"claim":"c d"}`, memory.JSONL, "more than one"},
		"unknown field":   {`{"clam":"a b"}`, memory.JSONL, "clam"},
		"no claim":        {good + `{"scope":"x"}`, memory.JSONL, "claim"},
		"long line":       {`{"claim":"` + strings.Repeat("x", 2<<20) + `"}`, memory.JSONL, "bytes"},
		"bad key":         {`{"claim":"a b","key":"../../etc"}`, memory.JSONL, "segment"},
		"alias bomb":      {"a: &a [x,x]\nb: &b [*a,*a]\nclaim: *b\n", memory.YAML, "line 1"},
		"huge document":   {"claim: " + strings.Repeat("x", 1<<20), memory.YAML, "bytes"},
		"second document": {"claim: a b\n---\nclaim: [\n", memory.YAML, "line 3"},
	} {
		_, err := m.Import(t.Context(), strings.NewReader(c.text), memory.ImportInput{Format: c.format})
		var failed *memory.ImportError
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v", name, err)
		}
		if m.tip() != tip {
			t.Fatalf("%s: something was written", name)
		}
	}
	r := m.imp(good+`{"claim":""}`+"\n"+`{"claim":"Timeouts are 30 s."}`, memory.ImportInput{Format: memory.JSONL, SkipInvalid: true})
	if r.Added != 2 || len(r.Rejected) != 1 || r.Rejected[0].Line != 2 {
		t.Errorf("skipping what is not valid: %+v", r)
	}
	_, err := m.Import(t.Context(), strings.NewReader(good+`{"claim":"it is `+marker+`"}`), memory.ImportInput{Format: memory.JSONL, SkipInvalid: true})
	var secret *memory.SecretError
	if !errors.As(err, &secret) || secret.Line != 2 {
		t.Errorf("a secret in an import: %v", err)
	}
	if _, err := m.Import(t.Context(), strings.NewReader(""), memory.ImportInput{Format: "csv"}); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("a format that does not exist: %v", err)
	}
}

// TestImportDoesNotTurnBackTime: an old export does not replace what became of
// a fact since.
func TestImportDoesNotTurnBackTime(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "The port is 5432.", Key: "domain/db/port"})
	old := m.exp(memory.ExportInput{Format: memory.YAML})
	m.clock.add(time.Hour)
	m.commit(memory.CommitInput{Claim: "The port is 6432.", Key: "domain/db/port"})
	r := m.imp(old, memory.ImportInput{Format: memory.YAML})
	if r.Duplicates != 1 || m.get("domain/db/port").Claim != "The port is 6432." {
		t.Errorf("import of the past: %+v, the port is now %q", r, m.get("domain/db/port").Claim)
	}
}

// TestManyAtOnce takes the path that reads the whole branch instead of asking
// the index.
func TestManyAtOnce(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "Fact number 7 holds.", Scope: "many"})
	var text strings.Builder
	for i := range 600 {
		text.WriteString(`{"claim":"Fact number ` + strings.Repeat("7", i%5) + string(rune('a'+i%26)) + ` holds for ` + time.Duration(i).String() + `.","scope":"many"}` + "\n")
	}
	text.WriteString(`{"claim":"fact NUMBER 7 holds.","scope":"many"}` + "\n")
	r := m.imp(text.String(), memory.ImportInput{Format: memory.JSONL})
	if r.Added != 600 || r.Duplicates != 1 {
		t.Errorf("import = %+v", r)
	}
	list, err := m.List(t.Context(), memory.ListInput{})
	if err != nil || len(list.Facts) != 601 {
		t.Errorf("%d facts, %v", len(list.Facts), err)
	}
	gitIn(t, m.dir, "fsck", "--strict")
}

// TestImportOfVersions: records with one key become its versions, with their own moments, so
// that as-of answers as the file says, in whatever order it has them; again, nothing is written.
func TestImportOfVersions(t *testing.T) {
	m := newMemory(t)
	file := `{"key":"domain/web/port","claim":"The port is 8443.","valid_from":"2026-02-01T00:00:00Z"}
{"key":"domain/web/port","claim":"The port is 80.","valid_from":"2025-01-01T00:00:00Z"}
{"key":"domain/web/port","claim":"The port is 443.","committed_at":"2025-06-01T00:00:00Z"}
{"key":"domain/web/host","claim":"The host is a.","valid_from":"2025-03-01T00:00:00Z"}
{"key":"domain/web/host","operation":"delete","valid_until":"2025-09-01T00:00:00Z"}
{"claim":"Colours are blue."}
`
	r := m.imp(file, memory.ImportInput{Format: memory.JSONL})
	if r.Added != 3 || r.Updated != 2 || r.Retired != 1 {
		t.Errorf("%+v", r)
	}
	for _, c := range []struct{ at, key, claim string }{
		{"2025-02-01", "domain/web/port", "The port is 80."}, {"2025-07-01", "domain/web/port", "The port is 443."},
		{"2026-03-01", "domain/web/port", "The port is 8443."}, {"2025-04-01", "domain/web/host", "The host is a."},
		{"2025-10-01", "domain/web/host", ""}, {"2024-01-01", "domain/web/port", ""},
	} {
		at, err := time.Parse(time.DateOnly, c.at)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Get(t.Context(), memory.GetInput{Key: c.key, AsOf: at})
		if c.claim == "" {
			if !errors.Is(err, memory.ErrNotFound) {
				t.Errorf("%s at %s: %v %q", c.key, c.at, err, got.Fact.Claim)
			}
		} else if err != nil || got.Fact.Claim != c.claim {
			t.Errorf("%s at %s: %q %v", c.key, c.at, got.Fact.Claim, err)
		}
	}
	tip := m.tip()
	if again := m.imp(file, memory.ImportInput{Format: memory.JSONL}); again.Duplicates != 6 || m.tip() != tip {
		t.Errorf("again: %+v, %s", again, m.tip())
	}
}

// TestImportKeepsKeys: what has a key or a detail of its own is no duplicate of another key's claim.
func TestImportKeepsKeys(t *testing.T) {
	m := newMemory(t)
	r := m.imp(`{"key":"domain/a/one","claim":"Ports are closed."}
{"key":"domain/a/two","claim":"Ports are closed."}
{"claim":"Ports are closed.","detail":"Since May."}
{"claim":"Ports are closed."}
`, memory.ImportInput{Format: memory.JSONL})
	if r.Added != 3 || r.Duplicates != 1 {
		t.Errorf("%+v", r)
	}
}

// TestImportNamesEveryRefusal: one refused line is not the end of the list, and no secret is repeated.
func TestImportNamesEveryRefusal(t *testing.T) {
	m := newMemory(t)
	file := `{"claim":"it is ` + marker + `"}` + "\n" + `{"claim":""}` + "\n" + `{"claim":"All is well."}` + "\n" + `{"claim":"and ` + marker + `"}`
	_, err := m.Import(t.Context(), strings.NewReader(file), memory.ImportInput{Format: memory.JSONL, SkipInvalid: true})
	var secret *memory.SecretError
	if !errors.As(err, &secret) || secret.Line != 1 || strings.Contains(err.Error(), marker) {
		t.Errorf("%v", err)
	}
	var failed *memory.ImportError
	if !errors.As(err, &failed) {
		t.Fatal(err)
	}
	var lines []int
	for _, r := range failed.Rejected {
		if lines = append(lines, r.Line); strings.Contains(r.Problem, marker) {
			t.Errorf("it repeats the secret: %s", r.Problem)
		}
	}
	if !slices.Equal(lines, []int{1, 2, 4}) {
		t.Errorf("lines %v", lines)
	}
}
