package eval_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"engram/eval"
	"engram/facts"
)

func TestFunctionWordsAreSorted(t *testing.T) {
	if !slices.IsSorted(eval.FunctionWords) {
		t.Error("the list is searched as sorted, and is not")
	}
}

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
		if diff := cmp.Diff(tt.want, eval.GrepWords(tt.question)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.question, diff)
		}
	}
}

func TestRankGrep(t *testing.T) {
	itemOf := map[string]string{"a/1.yml": "a", "a/2.yml": "a", "b/1.yml": "b", "c/1.yml": "c"}
	output := "engram:a/1.yml\x00cat\nengram:a/2.yml\x00dog\nengram:b/1.yml\x00Cat\nengram:b/1.yml\x00cat\n" +
		"engram:c/1.yml\x00cat\nengram:c/1.yml\x00bird\nengram:engram.yml\x00cat\n"
	if diff := cmp.Diff([]string{"c", "b", "a"}, eval.RankGrep([]byte(output), itemOf, false)); diff != "" {
		t.Errorf("by file (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "c", "b"}, eval.RankGrep([]byte(output), itemOf, true)); diff != "" {
		t.Errorf("by item (-want +got):\n%s", diff)
	}
}

func TestChunk(t *testing.T) {
	long := strings.Repeat("Ein Satz über Wörter. ", 400)
	for _, text := range []string{"", " \n ", "short", long, strings.Repeat("x", 5000), "a\x00b\xffc", strings.Repeat("日本", 2000)} {
		var rest strings.Builder
		for _, p := range eval.Chunk(text) {
			if p[0] == "" || utf8.RuneCountInString(p[0]) > facts.MaxClaim || len(p[1]) > facts.MaxDetail {
				t.Errorf("a piece of %.20q has a claim of %d and a detail of %d bytes", text, len(p[0]), len(p[1]))
			}
			rest.WriteString(p[0] + p[1])
		}
		kept := func(s string) string {
			return strings.Map(func(r rune) rune {
				if r <= ' ' {
					return -1
				}
				return r
			}, strings.ToValidUTF8(s, ""))
		}
		if diff := cmp.Diff(kept(text), kept(rest.String())); diff != "" {
			t.Errorf("%.20q lost something (-want +got):\n%s", text, diff)
		}
	}
}

func TestReadTranscript(t *testing.T) {
	lines := `{"type":"user","message":{"content":"please fix it"}}
{"type":"user","isMeta":true,"message":{"content":"a caveat"}}
{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"done"},{"type":"tool_use","input":{"command":"git commit"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","content":"a result"}]}}
{"type":"summary","summary":"a summary"}
{"type":"user","mess`
	messages, damaged, err := eval.ReadTranscript(lines)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"please fix it", "done"}, messages); diff != "" || damaged != 1 {
		t.Errorf("%d lines are damaged, want 1; messages (-want +got):\n%s", damaged, diff)
	}
}
