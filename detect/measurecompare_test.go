package detect_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"engram/detect"
	"engram/facts"
)

// TestMeasureCompare logs precision and recall of the rules on labelled pairs:
// public ones in the folder ENGRAM_DATA, and the open ones of fixtures/pairs.
// ENGRAM_SHOW names the label of which every error is printed.
func TestMeasureCompare(t *testing.T) {
	root := os.Getenv("ENGRAM_DATA")
	if root == "" {
		t.Skip("ENGRAM_DATA is not set: no data to measure on")
	}
	for _, set := range []struct{ path, a, b string }{
		{"nli/structured_fact_pairs.jsonl", "text_a", "text_b"},
		{"nli/git_edit_contradictions.reviewed.jsonl", "old", "new"},
		{"nli/git_edit_equivalent.auto.jsonl", "old", "new"},
		{"nli/memorycode_pairs.jsonl", "text_a", "text_b"},
	} {
		m := newMeasure(t)
		each(t, filepath.Join(root, set.path), func(r map[string]any) {
			kind, _ := r["kind"].(string)
			if kind == "" {
				kind, _ = r["change"].(string)
			}
			m.count(r["label"].(string), kind, plain(r[set.a].(string), ""), plain(r[set.b].(string), ""))
		})
		m.log(set.path)
	}
	open, err := filepath.Glob("../fixtures/pairs/*-open.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range open {
		m := newMeasure(t)
		each(t, path, func(r map[string]any) {
			about, _ := r["about"].(string)
			m.count(r["label"].(string), about, handMade(r["a"]), handMade(r["b"]))
		})
		m.log(filepath.Base(path))
	}
	for _, by := range []string{"path", "subject"} {
		measureUnrelated(t, filepath.Join(root, "facts/facts_share.jsonl"), by)
	}
}

func plain(text, scope string) *detect.Claim {
	return detect.Read(facts.Fact{Claim: text, Scope: scope})
}

func handMade(side any) *detect.Claim {
	s := side.(map[string]any)
	f := facts.Fact{Claim: s["claim"].(string), Scope: s["scope"].(string)}
	f.Provenance.Agent, _ = s["agent"].(string)
	date, _ := s["date"].(string)
	f.ValidFrom, _ = time.Parse(time.DateOnly, date[:min(len(date), 10)])
	return detect.Read(f)
}

// measure counts pairs by label and kind.
type measure struct {
	t            *testing.T
	total, found map[string]int
}

func newMeasure(t *testing.T) *measure {
	return &measure{t, map[string]int{}, map[string]int{}}
}

func (m *measure) count(label, kind string, a, b *detect.Claim) {
	f, found := detect.Compare(a, b)
	for _, key := range []string{label, label + " " + kind} {
		m.total[key]++
		m.found[key] += bit(found)
	}
	if wanted := label == "contradiction" || label == "evolution"; found != wanted && os.Getenv("ENGRAM_SHOW") == label {
		fmt.Printf("%s %s, found %v: %s\n    %s\n    %s\n", label, kind, found, f.Explanation, a.Text, b.Text)
	}
	if label == "evolution" && found {
		m.total["verdict of evolution"]++
		m.found["verdict of evolution"] += bit(f.Verdict == detect.Evolution && f.Newer == detect.SideB)
	}
	if label == "contradiction" && found {
		m.total["verdict of contradiction"]++
		m.found["verdict of contradiction"] += bit(f.Verdict == detect.Genuine)
	}
}

func (m *measure) log(name string) {
	m.t.Log(name)
	for _, key := range slices.Sorted(maps.Keys(m.total)) {
		m.t.Logf("    %s: found in %s", key, percent(m.found[key], m.total[key]))
	}
}

// measureUnrelated compares random facts of one document or subject, few of
// which contradict each other.
func measureUnrelated(t *testing.T, path, by string) {
	groups := map[string][]*detect.Claim{}
	each(t, path, func(r map[string]any) {
		name, _ := r[by].(string)
		groups[name] = append(groups[name], plain(r["text"].(string), ""))
	})
	random := rand.New(rand.NewPCG(1, 2))
	pairs, found := 0, 0
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		group := groups[name]
		for range min(60, len(group)*(len(group)-1)/2) {
			a, b := group[random.IntN(len(group))], group[random.IntN(len(group))]
			if a.Text == b.Text {
				continue
			}
			pairs++
			f, ok := detect.Compare(a, b)
			found += bit(ok)
			if ok && os.Getenv("ENGRAM_SHOW") == by {
				fmt.Printf("%s: %s\n    %s\n    %s\n", name, f.Explanation, a.Text, b.Text)
			}
		}
	}
	t.Logf("pairs of one %s: found in %s", by, percent(found, pairs))
}
