package evidence_test

import (
	"slices"
	"strings"
	"testing"

	"engram/evidence"
	"engram/facts"
)

const standing = "package auth\n\n// lifetime is how long a session lives.\nconst lifetime = 30\n\nfunc expire() {\n\tend()\n}\n"

func linesAt(first, last int) facts.Address {
	return facts.Address{Type: facts.PointRepo, Path: "auth/session.go", FirstLine: first, LastLine: last}
}

func section(name string) facts.Address {
	return facts.Address{Type: facts.PointArtifact, Path: "docs/spec.md", Name: name}
}

// TestIn has each case of Original.In, by its number.
func TestIn(t *testing.T) {
	const (
		spec    = "# Spec\n\n## Rules\n\nA message has four pointers at most.\n\n## Others\n\nNone.\n"
		renamed = "# Spec\n\n## Budgets\n\nA message has four pointers at most.\n\n## Others\n\nNone.\n"
		closing = "a {\n}\n"
	)
	whole := facts.Address{Type: facts.PointRepo, Path: "auth/session.go"}
	for name, c := range map[string]struct {
		address     facts.Address
		before, now string
		byDigest    bool // nothing but that is known
		want        evidence.Standing
	}{
		"1 nothing known":              {linesAt(90, 91), standing, standing, false, evidence.Standing{Freshness: evidence.Unchecked, Reason: "it names neither a commit that is here nor a digest"}},
		"2 the same lines":             {linesAt(3, 4), standing, standing + "// more\n", false, evidence.Standing{Freshness: evidence.Fresh, First: 3, Last: 4}},
		"2 by digest":                  {linesAt(3, 4), standing, standing, true, evidence.Standing{Freshness: evidence.Fresh, First: 3, Last: 4}},
		"2 other ends of lines":        {linesAt(3, 4), standing, strings.ReplaceAll(standing, "\n", "\r\n"), true, evidence.Standing{Freshness: evidence.Fresh, First: 3, Last: 4}},
		"2 a whole file":               {whole, standing, standing, false, evidence.Standing{Freshness: evidence.Fresh}},
		"2 a section further down":     {section("rules"), spec, "Intro.\n\n" + spec, false, evidence.Standing{Freshness: evidence.Fresh, First: 5, Last: 8}},
		"3 a section renamed":          {section("rules"), spec, renamed, false, evidence.Standing{Freshness: evidence.Moved, First: 3, Last: 6, Name: "budgets"}},
		"4 other lines":                {linesAt(3, 4), standing, "// New.\n" + standing, false, evidence.Standing{Freshness: evidence.Moved, First: 4, Last: 5}},
		"4 other lines, by digest":     {linesAt(3, 4), standing, "// New.\n" + standing, true, evidence.Standing{Freshness: evidence.Moved, First: 4, Last: 5}},
		"4 the nearest":                {linesAt(3, 4), standing, standing + "// New.\n" + standing[:14] + standing + "x", false, evidence.Standing{Freshness: evidence.Fresh, First: 3, Last: 4}},
		"4 hardly more than a bracket": {linesAt(2, 2), closing, "x\n" + closing, false, evidence.Standing{Freshness: evidence.Drifted}},
		"5 something else":             {linesAt(3, 4), standing, strings.Replace(standing, "30", "15", 1), false, evidence.Standing{Freshness: evidence.Drifted}},
		"5 a whole file":               {whole, standing, standing + "// more\n", false, evidence.Standing{Freshness: evidence.Drifted}},
		"5 no text any more":           {linesAt(3, 4), standing, "\x00" + standing, false, evidence.Standing{Freshness: evidence.Drifted}},
	} {
		t.Run(name, func(t *testing.T) {
			before := evidence.Read([]byte(c.before))
			was := evidence.Was(c.address, "", before)
			if c.byDigest {
				part, err := evidence.Cut(c.address, before.Bytes())
				if err != nil {
					t.Fatal(err)
				}
				was = evidence.Was(c.address, evidence.Digest(part.Text), nil)
			}
			if got := was.In(evidence.Read([]byte(c.now))); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
	gone := evidence.Was(section("rules"), "", evidence.Read([]byte(spec))).In(evidence.Read([]byte("# Spec\n")))
	if gone.Freshness != evidence.Drifted || gone.Reason == "" {
		t.Errorf("5, a section that is gone: %+v", gone)
	}
}

// TestWas: a digest is believed sooner than what stood there at the commit.
func TestWas(t *testing.T) {
	before := evidence.Read([]byte(standing))
	if o := evidence.Was(linesAt(3, 4), evidence.Digest([]byte("what was not committed yet")), before); o.Unknown() {
		t.Error("its digest is known")
	} else if _, known := o.Text(); known {
		t.Error("the commit's bytes are not those of the digest")
	}
	for _, digest := range []string{"", "sha256:12", "md5:0123456789"} {
		if !evidence.Was(linesAt(90, 91), digest, before).Unknown() {
			t.Errorf("something is known of no lines, with the digest %q", digest)
		}
	}
	found := evidence.Was(linesAt(3, 4), evidence.Digest([]byte("// lifetime is how long a session lives.\nconst lifetime = 30\n")), nil)
	now := evidence.Read([]byte("// New.\n" + standing))
	if text, known := found.At(found.In(now), now).Text(); !known || !strings.HasPrefix(string(text), "// lifetime") {
		t.Errorf("where it was found stands %q, %v", text, known)
	}
}

// TestElsewhere: another file needs more text to be taken for the place.
func TestElsewhere(t *testing.T) {
	before := evidence.Read([]byte(standing))
	other := evidence.Read([]byte("package session\n\n\n" + standing))
	if s, found := evidence.Was(linesAt(3, 4), "", before).Elsewhere(other); !found || s.First != 6 || s.Last != 7 || s.Freshness != evidence.Moved {
		t.Errorf("%+v, %v", s, found)
	}
	short := evidence.Was(linesAt(7, 7), "", before) // "end()"
	if s, found := short.Elsewhere(other); found || short.Key() != nil {
		t.Errorf("too short to tell: %+v, %q", s, short.Key())
	}
	if key := evidence.Was(linesAt(3, 4), "", before).Key(); string(key) != "// lifetime is how long a session lives." {
		t.Errorf("it is looked for by %q", key)
	}
}

// TestMapped: what has no exact place any more is between its neighbours.
func TestMapped(t *testing.T) {
	before := evidence.Read([]byte("a\nb\nc\nd\ne\n"))
	for name, c := range map[string]struct {
		now         string
		first, last int
		from, to    int
	}{
		"as it was":            {"a\nb\nc\nd\ne\n", 2, 3, 2, 3},
		"changed":              {"a\nB\nC\nd\ne\n", 2, 3, 2, 3},
		"further down":         {"x\ny\na\nB\nC\nd\ne\n", 2, 3, 4, 5},
		"grown":                {"a\nB\nC\nC\nd\ne\n", 2, 3, 2, 4},
		"gone":                 {"a\nd\ne\n", 2, 3, 2, 1},
		"nothing of it stands": {"v\nw\n", 1, 5, 1, 2},
		"empty":                {"", 2, 3, 1, 0},
	} {
		if from, to := evidence.Mapped(before, evidence.Read([]byte(c.now)), c.first, c.last); from != c.from || to != c.to {
			t.Errorf("%s: lines %d to %d, want %d to %d", name, from, to, c.from, c.to)
		}
	}
}

func TestDiff(t *testing.T) {
	if got := evidence.Diff([]byte("a\nb\nc\n"), []byte("a\nB\nc\nd\n")); got != " a\n-b\n+B\n c\n+d\n" {
		t.Errorf("%q", got)
	}
	if got := evidence.Diff([]byte(strings.Repeat("a\n", 500)), []byte(strings.Repeat("b\n", 500))); strings.Count(got, "\n") != 81 || !strings.Contains(got, "… 920 more lines") {
		t.Errorf("%d lines: %.200q", strings.Count(got, "\n"), got[max(0, len(got)-100):])
	}
}

func TestWorst(t *testing.T) {
	best := evidence.Freshnesses()
	for i, f := range best[:4] { // unchecked is worse than none of them
		for _, better := range append(slices.Clone(best[:i]), evidence.Unchecked) {
			if got := evidence.Worst([]evidence.Freshness{better, f, better}); got != f {
				t.Errorf("of %s and %s the worst is %s", f, better, got)
			}
		}
	}
	if evidence.Worst(nil) != evidence.Unchecked {
		t.Error("of no pointer something is known")
	}
}

// FuzzIn: no two states of a file make it panic, lines that it names are there, and what
// did not change is fresh.
func FuzzIn(f *testing.F) {
	f.Add(standing, "// New.\n"+standing, 3, 4, "", byte(0))
	f.Add("# A\n\ntext\n## B\r\n", "# C\n\ntext\n", 0, 0, "a", byte(1))
	f.Add("func TestA(t *testing.T) {\n}\n", "\x00", 1, 1, "TestA", byte(2))
	f.Fuzz(func(t *testing.T, before, now string, first, last int, name string, kind byte) {
		a := facts.Address{Type: facts.PointRepo, Path: "a.go", FirstLine: first, LastLine: last}
		switch {
		case kind%3 == 1 && name != "":
			a = facts.Address{Type: facts.PointArtifact, Path: "a.md", Name: name}
		case kind%3 == 2 && name != "":
			a = facts.Address{Type: facts.PointTest, Path: "a_test.go", Name: name}
		case first < 1 || last < first:
			a.FirstLine, a.LastLine = 0, 0
		}
		then, here := evidence.Read([]byte(before)), evidence.Read([]byte(now))
		part, err := evidence.Cut(a, then.Bytes())
		for _, was := range []evidence.Original{evidence.Was(a, "", then), evidence.Was(a, evidence.Digest(part.Text), nil), evidence.Was(a, "sha256:0123456789", then)} {
			s := was.In(here)
			if n := len(here.Lines()); s.First < 0 || s.Last < s.First || s.Last > n {
				t.Fatalf("%+v of %d lines", s, n)
			}
			was.Elsewhere(here)
			if s.Freshness == evidence.Fresh || s.Freshness == evidence.Moved {
				was.At(s, here)
			}
		}
		if err != nil {
			return
		}
		for name, was := range map[string]evidence.Original{"bytes": evidence.Was(a, "", then), "digest": evidence.Was(a, evidence.Digest(part.Text), nil)} {
			if s := was.In(then); s.Freshness != evidence.Fresh || s.First != part.First && a.FirstLine+len(a.Name) > 0 {
				t.Fatalf("by %s, unchanged it is %+v, at lines %d to %d", name, s, part.First, part.Last)
			}
		}
	})
}
