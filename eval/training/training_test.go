package training_test

import (
	"slices"
	"strings"
	"testing"

	"engram/eval/training"
)

// TestTrain: the same pairs give the same weights, and these tell pairs apart that they
// were not made from.
func TestTrain(t *testing.T) {
	pairs, err := training.Load("../testdata/prose/train.jsonl", "")
	if err != nil {
		t.Fatal(err)
	}
	first, again := training.Train(pairs), training.Train(pairs)
	if !slices.Equal(first.Weights, again.Weights) {
		t.Error("the same pairs gave other weights")
	}
	o := first.Count("train", 0.7, 0.5)
	if precision, recall := float64(o.FlaggedRight)/float64(o.Flagged), float64(o.FlaggedRight)/float64(o.Positives); precision < 0.65 || recall < 0.6 {
		t.Errorf("precision %.2f, recall %.2f", precision, recall)
	}
	source, err := first.Source()
	if err != nil || !strings.Contains(string(source), "var weights") {
		t.Errorf("source: %v\n%s", err, source)
	}
}
