package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
)

func TestUnknownFields(t *testing.T) {
	for text, want := range map[string][]facts.UnknownField{
		policy:               nil,
		"format: 1\n":        nil,
		"[1, 2]":             nil,
		"not: [closed":       nil,
		"review: yes please": nil,
		"format: 1\npremissions: []\nAnonymous-Mode: true\nratelimit: 3\ncolour: blue\n": {
			{"premissions", "permissions"}, {"Anonymous-Mode", "anonymous_mode"}, {"ratelimit", "rate_limit"}, {"colour", ""},
		},
		"format: 1\nreview:\n  author: [a@b.c]\n  quorum: 2\n": {{"review.author", "review.authors"}, {"review.quorum", ""}},
	} {
		if diff := cmp.Diff(want, facts.UnknownFields([]byte(text))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestManifestChanges(t *testing.T) {
	for _, c := range []struct {
		before, after string
		want          []string
	}{
		{"format: 1\n", "# why\nformat: 1\n", nil},
		{"format: 1\nrate_limit: 3\ngates: [lint]\n", "gates:\n  - lint\nformat: 1\nrate_limit: 3 # slow\n", nil},
		{"format: 1\nrate_limit: 3\n", "format: 1\nanon_agents: true\n", []string{"anon_agents", "rate_limit"}},
		{"format: 1\n", "format: 1\npermissions:\n  - {scope: a, write: false}\n", []string{"permissions"}},
		{"", "format: 1\n", []string{"format"}},
	} {
		if diff := cmp.Diff(c.want, facts.ManifestChanges([]byte(c.before), []byte(c.after))); diff != "" {
			t.Errorf("%q to %q (-want +got):\n%s", c.before, c.after, diff)
		}
	}
}
