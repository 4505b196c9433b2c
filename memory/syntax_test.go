package memory_test

import (
	"slices"
	"testing"

	"engram/memory"
)

func TestSyntax(t *testing.T) {
	m := newMemory(t)
	for key, claim := range map[string]string{
		"domain/a/one":   "The rate limit of the gateway is strict.",
		"domain/a/two":   "The limit of the upload rate is generous.",
		"domain/a/three": "The rate limit of the importer is off.",
	} {
		m.commit(memory.CommitInput{Key: key, Claim: claim})
	}
	for question, want := range map[string][]string{
		`"rate limit"`:              {"domain/a/one", "domain/a/three"},
		`limit "Rate  LIMIT" -gate`: {"domain/a/one", "domain/a/three"},
		`limit -gateway -importers`: {"domain/a/two"},
		`rate +upload`:              {"domain/a/two"},
		`+rate +limit -strict`:      {"domain/a/three", "domain/a/two"},
		`rate +zebra`:               {},
		`"limit rate"`:              {},
	} {
		r := m.query(memory.QueryInput{Question: question, Syntax: true})
		got := hitKeys(r)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s finds %v, want %v", question, got, want)
		}
	}
	if r := m.query(memory.QueryInput{Question: `"rate limit" -gateway`}); len(r.Results) != 3 {
		t.Errorf("as text it finds %v", hitKeys(r))
	}
	for _, question := range []string{`"open`, `-only -these`, `"" -x`} {
		_, err := m.Query(t.Context(), memory.QueryInput{Question: question, Syntax: true})
		if code, _ := memory.Classify(err); code != memory.CodeUsage {
			t.Errorf("%s: code %q, error %v", question, code, err)
		}
	}
	if r := m.query(memory.QueryInput{Question: `rate "limit of the"`, Syntax: true, Limit: 1}); len(r.Results) != 1 {
		t.Errorf("limited to one it finds %v", hitKeys(r))
	}
}
