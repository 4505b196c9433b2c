package retrieval_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval/retrieval"
)

func TestGrepWords(t *testing.T) {
	tests := []struct {
		question string
		want     []string
	}{
		{"How long does the Session live, the session?", []string{"long", "session", "live"}},
		{"what is `API_RATE_LIMIT`?", []string{"api_rate_limit"}},
		{"who are you", []string{"who", "are", "you"}}, // better than to search for nothing
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, retrieval.GrepWords(tt.question)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.question, diff)
		}
	}
}

func TestRankGrep(t *testing.T) {
	itemOf := map[string]string{"a/1.yml": "a", "a/2.yml": "a", "b/1.yml": "b", "c/1.yml": "c"}
	output := "engram:a/1.yml\x00cat\nengram:a/2.yml\x00dog\nengram:b/1.yml\x00Cat\nengram:b/1.yml\x00cat\n" +
		"engram:c/1.yml\x00cat\nengram:c/1.yml\x00bird\nengram:engram.yml\x00cat\n"
	if diff := cmp.Diff([]string{"c", "b", "a"}, retrieval.RankGrep([]byte(output), itemOf, false)); diff != "" {
		t.Errorf("by file (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "c", "b"}, retrieval.RankGrep([]byte(output), itemOf, true)); diff != "" {
		t.Errorf("by item (-want +got):\n%s", diff)
	}
}
