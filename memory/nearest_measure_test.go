package memory_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"engram/index"
)

// pair is a claim that stands and one that comes.
type pair struct{ group, old, new string }

// TestMeasureNearest logs what each threshold on shared words takes for an
// update: docs/retrieval.md has the table.
func TestMeasureNearest(t *testing.T) {
	data := os.Getenv("ENGRAM_DATA")
	if data == "" {
		t.Skip("ENGRAM_DATA does not name the folder of measurement data")
	}
	edits, siblings, attributes := readPairs(t, data)
	rightEdits, rightAttributes := rightlyNearest(edits), rightlyNearest(attributes)
	var wrong []float64
	for _, p := range siblings {
		wrong = append(wrong, index.Similarity(p.old, p.new))
	}
	for _, threshold := range []float64{0.75, 0.8, 0.85, 0.9, 0.95} {
		t.Logf("%.2f: edits %.3f of %d, siblings %.3f of %d, attributes %.3f of %d", threshold, share(rightEdits, threshold), len(edits),
			share(wrong, threshold), len(siblings), share(rightAttributes, threshold), len(attributes))
	}
}

// rightlyNearest are the similarities of new claims to the most similar old one
// of their group, 0 where that is the wrong one.
func rightlyNearest(pairs []pair) []float64 {
	groups := make(map[string][]pair)
	for _, p := range pairs {
		groups[p.group] = append(groups[p.group], p)
	}
	nearest := make([]float64, len(pairs))
	for i, p := range pairs {
		top, right := 0.0, false
		for _, other := range groups[p.group] {
			if s := index.Similarity(other.old, p.new); s > top {
				top, right = s, other.old == p.old
			}
		}
		if right {
			nearest[i] = top
		}
	}
	return nearest
}

func share(similarities []float64, threshold float64) float64 {
	n := 0
	for _, s := range similarities {
		if s >= threshold-1e-9 {
			n++
		}
	}
	return float64(n) / float64(max(len(similarities), 1))
}

func readPairs(t *testing.T, data string) (edits, siblings, attributes []pair) {
	for _, name := range []string{"git_edit_contradictions.reviewed.jsonl", "git_edit_equivalent.auto.jsonl"} {
		eachRecord(t, filepath.Join(data, "nli", name), func(r map[string]any) {
			edits = append(edits, pair{"", fmt.Sprint(r["old"]), fmt.Sprint(r["new"])})
		})
	}
	eachRecord(t, filepath.Join(data, "nli", "structured_fact_pairs.jsonl"), func(r map[string]any) {
		if r["label"] == "compatible" {
			siblings = append(siblings, pair{"", fmt.Sprint(r["text_a"]), fmt.Sprint(r["text_b"])})
		}
	})
	seen := map[string]bool{}
	for _, name := range []string{"gomod_fact_updates.jsonl", "kep_fact_updates.jsonl"} {
		eachRecord(t, filepath.Join(data, "facts", name), func(r map[string]any) {
			subject, attribute := fmt.Sprint(r["subject"]), fmt.Sprint(r["attribute"])
			if key := name + subject + attribute; !seen[key] {
				seen[key] = true
				attributes = append(attributes, pair{name + subject, fmt.Sprintf("%s has %s at %v", subject, attribute, r["old"]),
					fmt.Sprintf("the %s of %s is now %v", attribute, subject, r["new"])})
			}
		})
	}
	return edits, siblings, attributes
}

func eachRecord(t *testing.T, path string, use func(map[string]any)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var r map[string]any
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		use(r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
