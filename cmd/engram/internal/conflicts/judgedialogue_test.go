package conflicts

import (
	"bufio"
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/cmd/internal/term"
	"engram/facts"
	"engram/memory"
)

func pairOf(a, b string) memory.UndecidedPair {
	one := func(name string) memory.Fact {
		return memory.Fact{Key: facts.Key{Namespace: "domain", Category: "x", Identifier: name}, Claim: "Claim " + name + "."}
	}
	return memory.UndecidedPair{A: one(a), B: one(b), Grade: "related"}
}

func TestJudgeDialogue(t *testing.T) {
	two := []memory.UndecidedPair{pairOf("a", "b"), pairOf("c", "d")}
	for name, c := range map[string]struct {
		answers, reason string
		want            []string
		shows           string
	}{
		"each way":              {"c\nseen\nb\nmoved\n", "", []string{"a b contradicts : seen", "c d evolves domain/x/d: moved"}, "2 judged, 0 left"},
		"same and compatible":   {"=\nwords\nH\ntwo pools\n", "", []string{"a b same : words", "c d compatible : two pools"}, "2 judged"},
		"A is newer, quit":      {"a\nmoved\nq\n", "", []string{"a b evolves domain/x/a: moved"}, "1 judged, 1 left"},
		"nonsense and skips":    {"x\n\ns\ns\n", "", nil, "0 judged, 2 left"},
		"the end of input":      {"c\n", "", nil, "0 judged, 2 left"},
		"a reason for all":      {"h\nh\n", "read", []string{"a b compatible : read", "c d compatible : read"}, "2 judged"},
		"rejected, asked again": {"h\ntoken\nh\nread\nq\n", "", []string{"a b compatible : read"}, "1 judged, 1 left"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			var got []string
			d := &judging{reason: c.reason, Asker: term.NewAsker(t.Context(), &term.Streams{
				In: strings.NewReader(c.answers), Data: bufio.NewWriter(&stdout), Err: &stderr, Terminal: true, Width: 80, Now: time.Now,
				Progress: term.NewProgress(&stderr, false, time.Now),
			}), judge: func(v memory.PairVerdict) (memory.JudgeResult, error) {
				if v.Reason == "token" {
					return memory.JudgeResult{}, &memory.SecretError{Field: "reason", Rule: "token"}
				}
				last := func(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }
				got = append(got, last(v.A)+" "+last(v.B)+" "+v.Verdict+" "+v.Newer+": "+v.Reason)
				return memory.JudgeResult{Judged: []memory.Judged{{A: v.A, B: v.B, Verdict: v.Verdict, ConflictID: "0123456789abcdef", Status: "open"}}}, nil
			}}
			if err := d.run(two); err != nil {
				t.Fatal(err)
			}
			if err := d.Io.Flush(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("judged (-want +got):\n%s", diff)
			}
			if !strings.Contains(stdout.String(), c.shows) {
				t.Errorf("it does not show %q:\n%s", c.shows, stdout.String())
			}
		})
	}
}
