package facts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
)

func TestParseRef(t *testing.T) {
	tests := []struct {
		ref  string
		want facts.Address
	}{
		{"repo:a/b.go", facts.Address{Type: facts.PointRepo, Path: "a/b.go"}},
		{"repo:a/b.go#L12", facts.Address{Type: facts.PointRepo, Path: "a/b.go", FirstLine: 12, LastLine: 12}},
		{"repo:a/b.go#L12-L40", facts.Address{Type: facts.PointRepo, Path: "a/b.go", FirstLine: 12, LastLine: 40}},
		{"repo:a/b.go#L12-40", facts.Address{Type: facts.PointRepo, Path: "a/b.go", FirstLine: 12, LastLine: 40}},
		{"repo:a/b.go@0a1b2c3", facts.Address{Type: facts.PointRepo, Path: "a/b.go", Commit: "0a1b2c3"}},
		{"repo:a/b.go#L1-L1@0a1b2c3d", facts.Address{Type: facts.PointRepo, Path: "a/b.go", FirstLine: 1, LastLine: 1, Commit: "0a1b2c3d"}},
		{"repo:a@" + strings.Repeat("f", 64), facts.Address{Type: facts.PointRepo, Path: "a", Commit: strings.Repeat("f", 64)}},
		{"repo:a@" + strings.Repeat("f", 65), facts.Address{Type: facts.PointRepo, Path: "a@" + strings.Repeat("f", 65)}},
		{"repo:web/@types/c#/x.d.ts#L3@0a1b2c3", facts.Address{Type: facts.PointRepo, Path: "web/@types/c#/x.d.ts", FirstLine: 3, LastLine: 3, Commit: "0a1b2c3"}},
		{"repo:a@v1.2", facts.Address{Type: facts.PointRepo, Path: "a@v1.2"}},
		{"repo:a@0A1B2C3", facts.Address{Type: facts.PointRepo, Path: "a@0A1B2C3"}},
		{"repo:a#L0", facts.Address{Type: facts.PointRepo, Path: "a#L0"}},
		{"repo:a#L1#L2", facts.Address{Type: facts.PointRepo, Path: "a#L1", FirstLine: 2, LastLine: 2}},
		{"repo:docs/my file é.md", facts.Address{Type: facts.PointRepo, Path: "docs/my file é.md"}},
		{"repo:..a/b..", facts.Address{Type: facts.PointRepo, Path: "..a/b.."}},
		{"repo:.gitignore", facts.Address{Type: facts.PointRepo, Path: ".gitignore"}},
		{"artifact:docs/plan.md", facts.Address{Type: facts.PointArtifact, Path: "docs/plan.md"}},
		{"artifact:docs/plan.md#sec=Data model@0a1b2c3", facts.Address{Type: facts.PointArtifact, Path: "docs/plan.md", Name: "Data model", Commit: "0a1b2c3"}},
		{"artifact:c#sec=a/plan.md#sec=B#1", facts.Address{Type: facts.PointArtifact, Path: "c#sec=a/plan.md", Name: "B#1"}},
		{"artifact:c#.md@x", facts.Address{Type: facts.PointArtifact, Path: "c#.md@x"}},
		{"sam:risk/conflict/3f9c", facts.Address{Type: facts.PointSAM, Path: "risk/conflict/3f9c"}},
		{"sam:risk/conflict/3f9c@01ARZ3NDEKTSV4RRFFQ69G5FAV", facts.Address{Type: facts.PointSAM, Path: "risk/conflict/3f9c", Version: "01ARZ3NDEKTSV4RRFFQ69G5FAV"}},
		{"sam:project:auth_model@v2", facts.Address{Type: facts.PointSAM, Path: "project:auth_model", Version: "v2"}},
		{"diff:main..feature/x#a/b.go", facts.Address{Type: facts.PointDiff, From: "main", To: "feature/x", Path: "a/b.go"}},
		{"diff:HEAD~3..v1.2^#c#.go#L4-L5", facts.Address{Type: facts.PointDiff, From: "HEAD~3", To: "v1.2^", Path: "c#.go", FirstLine: 4, LastLine: 5}},
		{"diff:0a1b2c3..4d5e6f7#web/@types/x.ts", facts.Address{Type: facts.PointDiff, From: "0a1b2c3", To: "4d5e6f7", Path: "web/@types/x.ts"}},
		{"test:a/b_test.go", facts.Address{Type: facts.PointTest, Path: "a/b_test.go"}},
		{"test:a/b_test.go#TestX@0a1b2c3", facts.Address{Type: facts.PointTest, Path: "a/b_test.go", Name: "TestX", Commit: "0a1b2c3"}},
		{"test:a/@b_test.go#TestX/case_a@b/#01@0a1b2c3", facts.Address{Type: facts.PointTest, Path: "a/@b_test.go", Name: "TestX/case_a@b/#01", Commit: "0a1b2c3"}},
		{"url:https://example.org/a?b=c#d@e", facts.Address{Type: facts.PointURL, URL: "https://example.org/a?b=c#d@e"}},
		{"url:http://localhost:8080", facts.Address{Type: facts.PointURL, URL: "http://localhost:8080"}},
	}
	for _, tt := range tests {
		t.Run(tt.ref, func(t *testing.T) {
			got, err := facts.ParseRef(tt.ref)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			checkAddress(t, got)
		})
	}
}

// checkAddress checks what holds of every address that ParseRef returns: its
// path stays inside the repository, and it can be written and read again.
func checkAddress(t *testing.T, a facts.Address) {
	t.Helper()
	if a.Path == "" && a.URL == "" {
		t.Errorf("%+v names nothing", a)
	}
	if a.Type != facts.PointSAM && a.Type != facts.PointURL {
		for _, part := range strings.Split(a.Path, "/") {
			if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") || strings.Contains(part, `\`) {
				t.Errorf("path %q has the segment %q", a.Path, part)
			}
		}
	}
	if (a.FirstLine == 0) != (a.LastLine == 0) || a.FirstLine < 0 || a.LastLine < a.FirstLine {
		t.Errorf("lines %d to %d", a.FirstLine, a.LastLine)
	}
	ref := a.Ref()
	if len(ref) > facts.MaxRef {
		return
	}
	if back, err := facts.ParseRef(ref); err != nil || back != a {
		t.Errorf("%q reads as %+v, %v, want %+v", ref, back, err, a)
	}
}

func TestParseRefRefuses(t *testing.T) {
	for ref, fail := range map[string]string{
		"":                             "needs a type",
		"repo:":                        "needs a type",
		"a/b.go":                       "needs a type",
		"file:a/b.go":                  `type "file"`,
		"Repo:a":                       `type "Repo"`,
		strings.Repeat("x", 200) + ":": "needs a type",
		strings.Repeat("x", 99) + ":y": "is not one of",
		"repo:" + strings.Repeat("a", facts.MaxRef-4): "is 301 bytes long",
		"repo:/etc/passwd":                            "relative",
		`repo:a\b`:                                    "forward slashes",
		"repo:../secret":                              "leaves the repository",
		"repo:a/../../b":                              "leaves the repository",
		"repo:..":                                     "leaves the repository",
		"repo:.":                                      "leaves the repository",
		"repo:./a":                                    "not clean",
		"repo:a//b":                                   "not clean",
		"repo:a/":                                     "not clean",
		"repo:.git/config":                            "into .git",
		"repo:sub/.GIT/config":                        "into .git",
		"repo:#L1":                                    "has no path",
		"repo:@0a1b2c3":                               "has no path",
		"repo:a#L9-L8":                                "before its first line",
		"repo:a#L9-L3":                                "before its first line",
		"repo:a\nb":                                   "control character",
		"repo:a\x00":                                  "control character",
		"repo:a\x7f":                                  "control character",
		"repo:a\xff":                                  "not UTF-8",
		"artifact:a.md#sec=":                          "has no name",
		"artifact:#sec=A":                             "has no path",
		"test:a_test.go#":                             "has no name",
		"test:#TestX":                                 "has no path",
		"sam:":                                        "needs a type",
		"sam:@v1":                                     "sam:key@version",
		"sam:a@":                                      "sam:key@version",
		"sam:a b":                                     "sam:key@version",
		"sam:/a/b/c":                                  "sam:key@version",
		"diff:a..b":                                   "diff:a..b#path",
		"diff:a#x":                                    "diff:a..b#path",
		"diff:a...b#x":                                "diff:a..b#path",
		"diff:..b#x":                                  "diff:a..b#path",
		"diff:--output=x..b#x":                        "diff:a..b#path",
		"diff:a..-b#x":                                "diff:a..b#path",
		"diff:a b..c#x":                               "diff:a..b#path",
		"diff:a..b#":                                  "has no path",
		"diff:a..b#../x":                              "leaves the repository",
		"url:example.org":                             "absolute http",
		"url:file:///etc/passwd":                      "absolute http",
		"url:javascript:alert(1)":                     "absolute http",
		"url:https://":                                "absolute http",
	} {
		t.Run(ref, func(t *testing.T) {
			a, err := facts.ParseRef(ref)
			if err == nil {
				t.Fatalf("is taken for %+v", a)
			}
			if !strings.Contains(err.Error(), fail) {
				t.Errorf("error %q does not say %q", err, fail)
			}
			if a != (facts.Address{}) {
				t.Errorf("address %+v beside an error", a)
			}
		})
	}
}
