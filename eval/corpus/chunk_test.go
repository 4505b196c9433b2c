package corpus_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"engram/eval/corpus"
	"engram/facts"
)

func TestChunk(t *testing.T) {
	long := strings.Repeat("Ein Satz über Wörter. ", 400)
	for _, text := range []string{"", " \n ", "short", long, strings.Repeat("x", 5000), "a\x00b\xffc", strings.Repeat("日本", 2000)} {
		var rest strings.Builder
		for _, p := range corpus.Chunk(text) {
			if p.Claim == "" || utf8.RuneCountInString(p.Claim) > facts.MaxClaim || len(p.Detail) > facts.MaxDetail {
				t.Errorf("a piece of %.20q has a claim of %d and a detail of %d bytes", text, len(p.Claim), len(p.Detail))
			}
			rest.WriteString(p.Claim + p.Detail)
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
	messages, damaged := corpus.ReadTranscript(lines)
	if diff := cmp.Diff([]string{"please fix it", "done"}, messages); diff != "" || damaged != 1 {
		t.Errorf("%d lines are damaged, want 1; messages (-want +got):\n%s", damaged, diff)
	}
}
