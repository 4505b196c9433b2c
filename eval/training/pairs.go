package training

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"engram/detect"
	"engram/detect/rule"
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

// Of the public pairs, one in so many is learned from.
const (
	oneNegativeOf = 6
	onePositiveOf = 10
)

// Of two real sentences of one chapter that share so much, one pair in so many is learned
// from, and each pair that a rule finds: hardly any two sentences of a document contradict
// each other.
const (
	nearOverlap = 0.3
	oneNearOf   = 12
)

// realWeight is how much a public pair counts beside a hand-written one.
const realWeight = 0.2

// readReal reads public pairs, and pairs of real sentences that are near each other.
func readReal(data string) (pairs []Pair, err error) {
	public, err := detection.LabelledPairs(data)
	if err != nil {
		return nil, err
	}
	for i, p := range public {
		if of := map[bool]int{true: onePositiveOf, false: oneNegativeOf}[p.Positive]; i%of == 0 {
			pairs = append(pairs, Pair{Set: p.Suite, Group: half(i / of), A: p.A, B: p.B, Positive: p.Positive, Weight: realWeight})
		}
	}
	sentences, _, err := corpus.Sentences(data, mostSentences)
	if err != nil {
		return nil, err
	}
	chapters := make(map[string][]facts.Fact)
	var order []string
	for i, f := range sentences {
		if f.Subject == "" {
			continue
		}
		at := f.Source + "/" + f.Path + "/" + f.Subject
		if chapters[at] == nil {
			order = append(order, at)
		}
		chapters[at] = append(chapters[at], stated(strconv.Itoa(i), f.Text, at))
	}
	near := 0
	for i, at := range order {
		list := chapters[at]
		list = list[:min(len(list), mostOfChapter)]
		for j, b := range list {
			for _, a := range list[:j] {
				x, y := detect.Read(a), detect.Read(b)
				_, found := rule.Compare(x, y)
				if !found {
					if overlap(x.Frame().Keys, y.Frame().Keys) < nearOverlap {
						continue
					}
					if near++; near%oneNearOf != 0 {
						continue
					}
				}
				pairs = append(pairs, Pair{Set: "sentences", Group: half(i), A: a, B: b, Weight: realWeight})
			}
		}
	}
	return pairs, nil
}

// Bounds of what is compared.
const (
	mostSentences = 60_000
	mostOfChapter = 30
)

// half names one of two groups of public pairs.
func half(i int) string { return [...]string{"public", "public again"}[i%2] }

// overlap is the share of the shorter of two sorted lists that the other has.
func overlap(x, y []uint32) float64 {
	shared := 0
	for _, k := range x {
		if _, found := slices.BinarySearch(y, k); found {
			shared++
		}
	}
	return float64(shared) / float64(max(min(len(x), len(y)), 4))
}

// stated is a claim of an agent of its own.
func stated(id, claim, scope string) facts.Fact {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return facts.Fact{ID: id, Lineage: id, Claim: claim, Scope: scope, ValidFrom: at, Provenance: facts.Provenance{Agent: id, CreatedAt: at}}
}

// Write replaces the Go file of the model.
func (r Result) Write(path string) error {
	source, err := r.Model.Source()
	if err != nil {
		return fmt.Errorf("format the model: %w", err)
	}
	return os.WriteFile(path, source, 0o644)
}
