package facts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/facts"
)

func TestLint(t *testing.T) {
	good := full()
	good.Unknown, good.Provenance.Unknown, good.Pointers = nil, nil, good.Pointers[:1]
	for name, tt := range map[string]struct {
		change func(*facts.Fact)
		want   []string // fields
	}{
		"good":                  {func(*facts.Fact) {}, nil},
		"short claim":           {func(f *facts.Fact) { f.Claim = "Limit is 5" }, []string{"claim"}},
		"one long word":         {func(f *facts.Fact) { f.Claim = "AUTH_RATE_LIMIT=5000/minute" }, nil},
		"no evidence":           {func(f *facts.Fact) { f.Pointers, f.Provenance.Evidence = nil, "" }, []string{"provenance"}},
		"evidence alone":        {func(f *facts.Fact) { f.Pointers = nil }, nil},
		"no scope":              {func(f *facts.Fact) { f.Scope = "" }, []string{"scope"}},
		"scope case":            {func(f *facts.Fact) { f.Scope = "Payments" }, []string{"scope"}},
		"no commit":             {func(f *facts.Fact) { f.Pointers[0].Ref = "repo:a" }, []string{"pointers[0]"}},
		"sam needs no commit":   {func(f *facts.Fact) { f.Pointers[0].Ref = "sam:a/b/c" }, nil},
		"unknown":               {func(f *facts.Fact) { f.Unknown = []facts.Unknown{{Name: "conficence", YAML: "1"}} }, []string{"fact"}},
		"unknown in pointer":    {func(f *facts.Fact) { f.Pointers[0].Unknown = []facts.Unknown{{Name: "span", YAML: "1"}} }, []string{"fact"}},
		"unknown in provenance": {func(f *facts.Fact) { f.Provenance.Unknown = []facts.Unknown{{Name: "enginer", YAML: "x"}} }, []string{"fact"}},
		"nothing said":          {func(f *facts.Fact) { *f = facts.Fact{} }, []string{"claim", "provenance", "scope"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := good.Clone()
			tt.change(&f)
			var fields []string
			for _, a := range facts.Lint(f) {
				fields = append(fields, a.Field)
				if a.Problem == "" || a.Suggestion == "" {
					t.Errorf("%+v says nothing", a)
				}
			}
			if diff := cmp.Diff(tt.want, fields); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSuggestKey(t *testing.T) {
	m := facts.Manifest{Format: 1, Namespaces: []string{"team"}}
	const id, guess = "an identifier has to be chosen", "the namespace is a guess"
	for _, tt := range []struct{ text, want, note string }{
		// Seed 3's table.
		{"paper:abc EXPLORE done", "paper/abc/EXPLORE", ""},
		{"architecture/auth-model", "architecture/auth-model/<id>", id},
		{"SUPREMAC\u00cdA: Belico.md", "architecture/belico/supremacia", guess},
		{"sdd/Foo Bar/baz", "sdd/foo-bar/baz", ""},
		{"random/foo/bar", "<namespace>/foo/bar", "a namespace has to be chosen: sdd, paper, architecture, tool, domain, skill, risk, calibration, finding, team"},
		// More of the kind.
		{"sdd/icr/spec", "sdd/icr/spec", ""},
		{"SDD/ICR/Spec", "sdd/icr/spec", ""},
		{"Paper/ABC/EXPLORE", "paper/abc/EXPLORE", ""},
		{"paper/abc/EXPLORE now", "paper/abc/explore-now", ""},
		{"/team//x/y/", "team/x/y", ""},
		{"team/rest_json/v1.2 beta", "team/rest_json/v1-2-beta", ""},
		{"sdd/a/b/c/d/e", "sdd/a/b/c-d-e", ""},
		{"sdd/\u65e5\u672c/x", "sdd/<id>/x", id},
		{"sdd/a/con", "sdd/a/con-x", ""},
		{"sdd/a/x.yml", "sdd/a/x-yml", ""},
		{"sdd", "sdd/<id>/<id>", id},
		{"risk: synthetic data", "risk/synthetic/data", ""},
		{"tool: cache", "tool/cache/<id>", id},
		{"random/\u65e5/x y", "<namespace>/<id>/x-y", "a namespace has to be chosen: sdd, paper, architecture, tool, domain, skill, risk, calibration, finding, team"},
		{"foo/bar", "architecture/general/foo-bar", guess},
		{"Why we left Postgres 9.6", "architecture/general/why-we-left-postgres-9-6", guess},
		{"Note: fix v1.2 now", "architecture/fix-v1-2-now/note", guess},
		{"", "architecture/general/<id>", guess},
		{"\u65e5\u672c", "architecture/general/<id>", guess},
	} {
		got, note := m.SuggestKey(tt.text)
		if got != tt.want || note != tt.note {
			t.Errorf("SuggestKey(%q) = %q, %q; want %q, %q", tt.text, got, note, tt.want, tt.note)
		}
	}
}

// What is suggested without a gap is a key of the team, and a key is its own
// suggestion.
func TestSuggestKeyProperties(t *testing.T) {
	m := facts.Manifest{Format: 1, Namespaces: []string{"team"}}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.String(),
			rapid.StringMatching(`(sdd|paper|Finding|team|x)[:/ ][A-Za-z0-9 ._\x{e9}\x{df}-]{0,80}([:/ ][A-Z0-9 ._-]{0,120}){0,4}`),
			rapid.SampledFrom(oddStrings),
		).Draw(t, "text")
		suggestion, note := m.SuggestKey(text)
		k, err := facts.ParseKey(suggestion)
		if gap := strings.Contains(suggestion, "<"); gap && note == "" || !gap && err != nil {
			t.Fatalf("%q gives %q, %q: %v", text, suggestion, note, err)
		}
		if err == nil && m.CheckKey(k) != nil {
			t.Fatalf("%q gives %q, in no namespace", text, suggestion)
		}
		valid := genKey(t).String()
		if s, note := m.SuggestKey(valid); s != valid || note != "" {
			t.Fatalf("%q gives %q, %q", valid, s, note)
		}
	})
}

func TestSlug(t *testing.T) {
	for text, want := range map[string]string{
		"The API uses TLS 1.3":                                 "the-api-uses-tls-1-3",
		"  --a__b//c--  ":                                      "a-b-c",
		"SUPREMAC\u00cdA":                                      "supremacia",
		"cafe\u0301 Stra\u00dfe \u0152uvre":                    "cafe-strasse-oeuvre",
		"\u0141\u00f3d\u017a \u00c5ngstr\u00f6m \u00de\u00f3r": "lodz-angstrom-thor",
		"\u0130stanbul":                                        "istanbul",
		"\u65e5\u672c\u8a9e":                                   "",
		"\u0430pi":                                             "pi", // Cyrillic a is no a
		"":                                                     "",
		"!?":                                                   "",
		"con":                                                  "con-x",
		"COM1":                                                 "com1-x",
		"\xff\xfe":                                             "",
		"ca\u0301fe":                                           "cafe",
		strings.Repeat("a", 30) + " " + strings.Repeat("b", 29): strings.Repeat("a", 30) + "-" + strings.Repeat("b", 29),
		strings.Repeat("a", 30) + " " + strings.Repeat("b", 30): strings.Repeat("a", 30),
		strings.Repeat("a", 99):                                 strings.Repeat("a", 60),
		strings.Repeat("abcdefghi ", 20):                        strings.TrimSuffix(strings.Repeat("abcdefghi-", 6), "-"),
	} {
		if got := facts.Slug(text); got != want {
			t.Errorf("Slug(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestSlugIsASegment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slug := facts.Slug(rapid.String().Draw(t, "text"))
		if slug == "" {
			return
		}
		if _, err := facts.ParseKey("a/b/" + slug); err != nil || facts.Slug(slug) != slug {
			t.Fatalf("%q: %v, slug of it %q", slug, err, facts.Slug(slug))
		}
	})
}

func TestScopeCategory(t *testing.T) {
	for scope, want := range map[string]string{
		"payments/webhooks":            "payments.webhooks",
		"Payments":                     "payments",
		"a_b/c-d.e":                    "a_b.c-d.e",
		"":                             "general",
		"a b":                          "general",
		"con/x":                        "general",
		"a.yml":                        "general",
		"../x":                         "general",
		strings.Repeat("a", 99) + "/b": strings.Repeat("a", 99),
		strings.Repeat("\u00e9", 99):   "general",
	} {
		if got := facts.ScopeCategory(scope); got != want {
			t.Errorf("ScopeCategory(%q) = %q, want %q", scope, got, want)
		}
	}
}

func TestKindNamespaceIsKnown(t *testing.T) {
	for _, kind := range append(facts.Kinds(), "", "odd") {
		k := facts.Key{Namespace: facts.KindNamespace(kind), Category: "a", Identifier: "b"}
		if err := (facts.Manifest{}).CheckKey(k); err != nil {
			t.Errorf("kind %q: %v", kind, err)
		}
	}
}
