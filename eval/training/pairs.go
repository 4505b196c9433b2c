package training

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"engram/eval/corpus"
	"engram/eval/detection"
	"engram/facts"
	"engram/fixtures"
)

// proseRecord is a line of a set of prose pairs.
type proseRecord struct {
	ID    string `json:"id"`
	A     string `json:"a"`
	B     string `json:"b"`
	Scope string `json:"scope"`
	Label string `json:"label"`
}

// Load reads the pairs to learn from: those in the project (file, and the open half of
// the hand-written pairs), and the open half of the public prose pairs if a folder of
// data is given.
func Load(file, data string) ([]Pair, error) {
	pairs, err := readProse(file, "train")
	if err != nil {
		return nil, err
	}
	if data != "" {
		dev, err := readProse(filepath.Join(data, "nli", "prose_pairs.dev.jsonl"), "dev")
		if err != nil {
			return nil, err
		}
		pairs = append(dev, pairs...)
		real, err := readReal(data)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, real...)
	}
	for _, p := range fixtures.Pairs() {
		if p.Half == fixtures.Open {
			pairs = append(pairs, Pair{Set: "open", Group: "open", Weight: 1, A: p.A, B: p.B, Positive: p.Label == fixtures.Contradiction || p.Label == fixtures.Evolution})
		}
	}
	return pairs, nil
}

func readProse(path, set string) (pairs []Pair, err error) {
	var records []proseRecord
	if err := corpus.ReadJSONLines(path, &records); err != nil {
		return nil, fmt.Errorf("read pairs: %w", err)
	}
	for _, r := range records {
		pairs = append(pairs, Pair{
			Set: set, Group: strings.Split(r.ID, "-")[0], Weight: 1, A: stated(r.ID+"/a", r.A, r.Scope), B: stated(r.ID+"/b", r.B, r.Scope),
			Positive: r.Label == string(fixtures.Contradiction) || r.Label == string(fixtures.Evolution),
		})
	}
	return pairs, nil
}

// Of the real sentences, which rules already tell apart or which are drawn at random, one
// in so many is learned from, and counts for this much of a hand-written pair.
const (
	oneOf      = 4
	realWeight = 0.4
)

// readReal reads pairs of real sentences that do not contradict each other.
func readReal(data string) (pairs []Pair, err error) {
	negatives, err := detection.Negatives(data)
	for i, n := range negatives {
		if i%oneOf == 0 {
			pairs = append(pairs, Pair{Set: "real", Group: [...]string{"real", "real again"}[i/oneOf%2], A: n[0], B: n[1], Weight: realWeight})
		}
	}
	return pairs, err
}

// stated is a claim of an agent of its own.
func stated(id, claim, scope string) facts.Fact {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return facts.Fact{ID: id, Lineage: id, Claim: claim, Scope: scope, ValidFrom: at, Provenance: facts.Provenance{Agent: id, CreatedAt: at}}
}

// Write replaces the file of the model.
func (r Result) Write(path string) error { return os.WriteFile(path, []byte(r.Model.String()), 0o644) }
