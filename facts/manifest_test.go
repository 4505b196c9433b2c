package facts_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
)

func TestParseManifest(t *testing.T) {
	for text, want := range map[string]facts.Manifest{
		"format: 1\n":                                      {Format: 1},
		"format: 1\nnamespaces: [team, web]\n":             {Format: 1, Namespaces: []string{"team", "web"}},
		"format: 1\nnamespaces:\n":                         {Format: 1},
		"format: 1\nlater: {a: [1, 2]}\n":                  {Format: 1},
		"format: 1\npurged: [" + hexA + "]\n":              {Format: 1, Purged: []string{hexA}},
		"\ufeff# ours\r\nformat: 1\r\nnamespaces: [a]\r\n": {Format: 1, Namespaces: []string{"a"}},
	} {
		got, err := facts.ParseManifest([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		want.RateLimit = facts.DefaultRate
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestParseManifestRefuses(t *testing.T) {
	for text, fail := range map[string]string{
		"":                                "is empty",
		"# nothing\n":                     "is empty",
		"hello":                           "not a mapping",
		"format: [":                       "not readable",
		"{}":                              "has no format version",
		"namespaces: [a]\n":               "has no format version",
		"format: 0\n":                     "has no format version",
		"format: -1\n":                    "has no format version",
		"format: 2\n":                     "has format 2; this engram supports up to 1",
		"format: one\n":                   "not readable",
		"format: 1.5\n":                   "not readable",
		"format: [1]\n":                   "not readable",
		"format: 1\nformat: 1\n":          "is repeated",
		"format: 1\nnamespaces: a\n":      "not readable",
		"format: 1\nnamespaces: [Team]\n": `namespace "Team" has upper case`,
		"format: 1\nnamespaces: [a/b]\n":  "namespace has '/'",
		"format: 1\nnamespaces: ['']\n":   "namespace is empty",
		"format: 1\nnamespaces: [con]\n":  "device name",
		"format: 1\npurged: [abc]\n":      "purged has \"abc\"",
		"format: 1\npurged: [" + strings.ToUpper(hexA) + "]\n": "not a full commit hash",
		"format: 1\npurged: all\n":                             "not readable",
		"format: 1\nx: &a [1]\ny: *a\n":                        "anchors and aliases",
		"format: 1\n---\nformat: 1\n":                          "more than one YAML document",
		"{{},<<}":                                              "the name of a field",
		"format: !x 1\n":                                       "tag !x",
		"format: 1\nx: \xff\n":                                 "not UTF-8",
		"format: 1\nx: " + strings.Repeat("[", 60_000):         "max depth",
		"x: " + strings.Repeat("a", facts.MaxFile):             "at most 65536",
	} {
		m, err := facts.ParseManifest([]byte(text))
		if err == nil || !strings.Contains(err.Error(), fail) || !strings.HasPrefix(err.Error(), "engram.yml") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q gives %+v and the error %v, want %q", text, m, err, fail)
		}
	}
}

func TestCheckKey(t *testing.T) {
	m := facts.Manifest{Format: 1, RateLimit: facts.DefaultRate, Namespaces: []string{"team"}}
	for _, ns := range append(facts.SeedNamespaces(), "team") {
		if err := m.CheckKey(facts.Key{Namespace: ns, Category: "a", Identifier: "b"}); err != nil {
			t.Error(err)
		}
	}
	err := m.CheckKey(facts.Key{Namespace: "teams", Category: "a", Identifier: "b"})
	if e, ok := errors.AsType[*facts.KeyError](err); !ok || e.Text != "teams/a/b" {
		t.Errorf("error %v", err)
	}
	if got := len(facts.SeedNamespaces()); got != 9 {
		t.Errorf("%d namespaces of seed 3", got)
	}
}
