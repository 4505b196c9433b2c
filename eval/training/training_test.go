package training_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval/training"
)

// TestTrain: the same pairs give the same model, and it tells pairs apart that it was not
// made from.
func TestTrain(t *testing.T) {
	all, err := os.ReadFile("../testdata/prose/train.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var some strings.Builder
	for i, line := range strings.SplitAfter(string(all), "\n") {
		if i%12 == 0 {
			some.WriteString(line)
		}
	}
	file := filepath.Join(t.TempDir(), "pairs.jsonl")
	if err := os.WriteFile(file, []byte(some.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	pairs, err := training.Load(file, "")
	if err != nil {
		t.Fatal(err)
	}
	first, again := training.Train(pairs), training.Train(pairs)
	if diff := cmp.Diff(first.Model, again.Model); diff != "" {
		t.Errorf("the same pairs gave another model: %s", diff)
	}
	o := first.Count("train", 0.67, 0.47)
	if precision, recall := float64(o.FlaggedRight)/float64(o.Flagged), float64(o.FlaggedRight)/float64(o.Positives); precision < 0.6 || recall < 0.5 {
		t.Errorf("precision %.2f, recall %.2f", precision, recall)
	}
	written := filepath.Join(t.TempDir(), "model.go")
	if err := first.Write(written); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(written); err != nil || !strings.Contains(string(text), "Trees: []Tree{") {
		t.Errorf("model: %v\n%.200s", err, text)
	}
}
