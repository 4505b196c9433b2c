package facts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/facts"
)

func TestParseShort(t *testing.T) {
	for text, want := range map[string]string{
		"a/b.go":                      "repo:a/b.go",
		"./a//b.go":                   "repo:a/b.go",
		"a/b.go:12":                   "repo:a/b.go#L12",
		"a/b.go:12:5":                 "repo:a/b.go#L12",
		"a/b.go:12:5:":                "repo:a/b.go#L12",
		"a/b.go:12-40":                "repo:a/b.go#L12-L40",
		"a/b.go:L12-L40":              "repo:a/b.go#L12-L40",
		"a/b.go#L12-L40":              "repo:a/b.go#L12-L40",
		"a/b.go#L12-40@0a1b2c3":       "repo:a/b.go#L12-L40@0a1b2c3",
		"a/b.go:12@0a1b2c3":           "repo:a/b.go#L12@0a1b2c3",
		"docs/spec.md#Budget rules":   "artifact:docs/spec.md#sec=Budget rules",
		"docs/spec.md#sec=Budget":     "artifact:docs/spec.md#sec=Budget",
		"docs/spec.md#L3":             "repo:docs/spec.md#L3",
		"docs/spec.md:3":              "repo:docs/spec.md#L3",
		"a/b_test.go#TestX":           "test:a/b_test.go#TestX",
		"tests/a.py#A::test_x":        "test:tests/a.py#A::test_x",
		"c#/x.cs":                     "repo:c#/x.cs",
		"a.go#":                       "repo:a.go#",
		"domain/auth/session":         "repo:domain/auth/session",
		"https://example.org/a?b#c":   "url:https://example.org/a?b#c",
		"sam:domain/auth/session":     "sam:domain/auth/session",
		"repo:a/b.go#L9@0a1b2c3":      "repo:a/b.go#L9@0a1b2c3",
		"file:a/b.go":                 "repo:file:a/b.go",
		"LICENSE":                     "repo:LICENSE",
		"a b/ü.go:7":                  "repo:a b/ü.go#L7",
		"web/@types/x.d.ts:1-2":       "repo:web/@types/x.d.ts#L1-L2",
		"docs/a.md#Heading@0a1b2c3d4": "artifact:docs/a.md#sec=Heading@0a1b2c3d4",
	} {
		a, err := facts.ParseShort(text)
		if err != nil || a.Ref() != want {
			t.Errorf("%q is %q, %v; want %q", text, a.Ref(), err, want)
		}
	}
	for text, fail := range map[string]string{
		"": "has no path", "/etc/passwd": "relative", "../x": "leaves", "a/../../x": "leaves", ".": "leaves", `a\b`: "forward",
		".git/config": ".git", "sub/.GIT/x": ".git", "a.go:9-3": "before its first line", "a.go#L9-L3": "before its first line", ":12": "has no path",
		"repo:": "needs a type", "test:a#": "has no name", "a\nb": "control", "a\xff": "UTF-8", "https://": "absolute", strings.Repeat("x", 300): "bytes long",
	} {
		if a, err := facts.ParseShort(text); err == nil || !strings.Contains(err.Error(), fail) || a != (facts.Address{}) {
			t.Errorf("%q is %+v, %v; want an error that says %q", text, a, err, fail)
		}
	}
}

func TestRefRoundTrips(t *testing.T) {
	path := rapid.StringMatching(`[a-z@#.]{1,6}(/[a-z0-9 é#@]{1,5}){0,3}\.(go|md)`)
	name := rapid.StringMatching(`[A-Za-z][A-Za-z /#=@]{0,9}[a-z]`)
	rapid.Check(t, func(t *rapid.T) {
		a := facts.Address{Type: rapid.SampledFrom([]facts.PointerType{"repo", "artifact", "test", "sam", "diff", "url"}).Draw(t, "type"), Path: path.Draw(t, "path")}
		commit := rapid.SampledFrom([]string{"", "0a1b2c3", strings.Repeat("f", 40)}).Draw(t, "commit")
		if (a.Type == "repo" || a.Type == "diff") && rapid.Bool().Draw(t, "lines") {
			a.FirstLine = rapid.IntRange(1, 999_999).Draw(t, "first")
			a.LastLine = a.FirstLine + rapid.IntRange(0, 99).Draw(t, "more")
		}
		switch a.Type {
		case facts.PointRepo:
			a.Commit = commit
		case facts.PointArtifact, facts.PointTest:
			a.Name, a.Commit = name.Draw(t, "name"), commit
			if a.Type == facts.PointTest {
				a.Path = strings.ReplaceAll(a.Path, "#", "x")
			}
		case facts.PointSAM:
			a.Path, a.Version = "domain/auth/session", commit
		case facts.PointDiff:
			a.From, a.To = "HEAD~2", "feature/x"
		case facts.PointURL:
			a.Path, a.URL = "", "https://example.org/#L3@0a1b2c3"
		}
		if facts.CheckPath(a.Path) != nil && a.Path != "" {
			t.Skip()
		}
		back, err := facts.ParseRef(a.Ref())
		if err != nil || back != a {
			t.Fatalf("%q reads as %v, %s", a.Ref(), err, cmp.Diff(a, back))
		}
	})
}

func FuzzShort(f *testing.F) {
	for _, s := range []string{"a/b.go:12-40", "a.md#Heading", "x_test.go#TestX@0a1b2c3", "https://x", "domain/a/b", "c#/:1", "repo:a#L1", "./../x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := facts.ParseShort(text)
		if err != nil {
			if a != (facts.Address{}) {
				t.Errorf("address %+v beside an error", a)
			}
			return
		}
		checkAddress(t, a)
	})
}
