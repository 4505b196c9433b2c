package detection_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval/detection"
)

func TestEntailment(t *testing.T) {
	data := writeData(t, "nli/snli_dev.half.csv", "premise,hypothesis,label",
		`"Two dogs, running.",Dogs run.,entailment`, "A dog.,A contradiction.,neutral", "A dog.,A cat.,contradiction")
	got := measure(t, data, "snli", detection.Options{Compare: finds})
	want := []detection.WrongPair{
		{ID: "snli-00003", Label: "contradiction"},
		{ID: "snli-00002", Label: "neutral", Verdict: "contradiction", Tier: "tier-contradiction"},
	}
	if diff := cmp.Diff(want, got.Wrong); diff != "" || got.Pairs != 3 {
		t.Errorf("%d pairs, wrong (-want +got):\n%s", got.Pairs, diff)
	}
	for _, lines := range [][]string{{"a,b,c"}, {"premise,hypothesis,label", "x,y,z"}, {"premise,hypothesis,label", `"x`}} {
		data := writeData(t, "nli/snli_dev.half.csv", lines...)
		if _, err := detection.Run(context.Background(), data, []string{"snli"}, nil); err == nil {
			t.Errorf("%q is read as a table of pairs", lines)
		}
	}
}

// TestUnrelated draws from three documents of two projects: only facts of one
// document are held against each other, no pair twice, and no text against
// itself.
func TestUnrelated(t *testing.T) {
	line := func(id, source, path, subject, text string) string {
		b, err := json.Marshal(map[string]string{"id": id, "source": source, "path": path, "subject": subject, "text": text})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	data := writeData(t, "facts/facts_share.jsonl",
		line("f1", "p", "go.mod", "s", "one contradiction"), line("f2", "p", "go.mod", "s", "two contradiction"),
		line("f3", "p", "go.mod", "", "three contradiction"), line("f4", "p", "go.mod", "s", "ONE contradiction!"),
		line("f5", "p", "other", "s", "five contradiction"), line("f6", "q", "go.mod", "s", "six contradiction"))
	s := measure(t, data, "unrelated", detection.Options{Compare: finds})
	var got []string
	for _, w := range s.Wrong {
		got = append(got, w.ID)
	}
	slices.Sort(got)
	// f1-f4 say the same; f3 has no subject.
	want := []string{"f1 f2", "f1 f2", "f1 f3", "f2 f3", "f2 f4", "f2 f4", "f3 f4"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pairs (-want +got):\n%s", diff)
	}
	if row := s.Rows[0]; row.FalseAlarms != 1000 || s.Positives != 0 {
		t.Errorf("%d positives, %v", s.Positives, row)
	}
}

func TestNaivelyFlagged(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"another number", "The pool has 5 slots.", "The pool has 6 slots.", true},
		{"another version", "api runs v1.2", "api runs v1.3", true},
		{"a number more", "the pool has slots", "the pool has 6 slots", true},
		{"the same", "The pool has 5 slots.", "the pool has 5 slots", false},
		{"another word", "the pool has 5 slots", "the pool has 5 places", false},
		{"a negation", "Sessions are renewed.", "Sessions are not renewed.", true},
		{"a short negation", "all sessions of users do renew", "all sessions of users don’t renew.", true},
		{"two negations", "it is not renewed", "it is never renewed", false},
		{"half of the words in both", "a b c 1", "a b c 2 3 4", false},
		{"just half of the words in both", "a b c 1", "a b c 2 3", true},
		{"nothing", "", "", false},
	}
	for _, tt := range tests {
		if got := detection.NaivelyFlagged(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestSharedPairs runs the suites over the shared data, where that is. The
// baseline depends on nothing but the data, so its figures are known.
func TestSharedPairs(t *testing.T) {
	data := os.Getenv("ENGRAM_DATA")
	if data == "" {
		t.Skip("ENGRAM_DATA names no folder of shared data")
	}
	names := []string{"structured", "edits", "memorycode", "mnli", "snli", "unrelated"}
	report, err := detection.Run(context.Background(), data, names, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][2]int{} // pairs, flagged by the baseline
	for _, s := range report.Suites {
		got[s.Name] = [2]int{s.Pairs, s.Rows[1].Flagged}
	}
	want := map[string][2]int{
		"structured": {3797, 2420}, "edits": {644, 116}, "memorycode": {951, 0}, "mnli": {9927, 183}, "snli": {4894, 3}, "unrelated": {40000, 579},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
