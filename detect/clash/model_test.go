package clash

import (
	"strings"
	"testing"
)

// TestLearned: the model was made for the features there are, and its source says what it is.
func TestLearned(t *testing.T) {
	if got, want := len(learned.Weights), len(FeatureNames())+1; got != want {
		t.Fatalf("%d weights for %d features: run engram-eval weights", got, want)
	}
	for _, tree := range learned.Trees {
		for _, f := range tree.Feature {
			if f < 0 || f >= len(FeatureNames()) {
				t.Fatalf("a tree asks for feature %d", f)
			}
		}
	}
	source, err := learned.Source()
	if err != nil || !strings.Contains(string(source), "// coverage of clause, better") {
		t.Errorf("source: %v", err)
	}
}
