// Package training makes the weights of package clash from labelled pairs, and says how
// good they are by cross-validation. The same pairs give the same weights.
package training

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"

	"engram/detect"
	"engram/detect/clash"
	"engram/detect/rule"
	"engram/facts"
)

// Pair is a labelled pair of facts.
type Pair struct {
	Set      string // what it came from
	A, B     facts.Fact
	Positive bool
	Weight   float64 // how much it counts in fitting
}

// How the weights are fitted: the strength of the penalty was chosen by
// cross-validation, and the rounds are enough for the choice of candidates to settle.
const (
	ridge  = 4
	rounds = 6
	steps  = 8
	folds  = 5
)

// Outcome is what one set of pairs came to in cross-validation.
type Outcome struct {
	Set                   string
	Pairs, Positives      int
	Contradictions, Right int // above the upper threshold, and those of them that are positive
	Flagged, FlaggedRight int // above the lower one
}

// Result is what training came to.
type Result struct {
	Weights []float64
	Scored  []Scored
}

// Scored is a pair with its probability, by weights that were made without it.
type Scored struct {
	Set         string
	Probability float64
	Positive    bool
}

// Train fits weights to pairs, and judges each by weights that were fitted without its
// fold.
func Train(pairs []Pair) Result {
	examples := make([]example, len(pairs))
	for i, p := range pairs {
		examples[i] = exampleOf(p)
	}
	settings := fitting{ridge: ridge, rounds: rounds, steps: steps}
	r := Result{Weights: fit(readable(examples, -1), settings)}
	for fold := range folds {
		w := fit(readable(examples, fold), settings)
		for i := fold; i < len(examples); i += folds {
			r.Scored = append(r.Scored, Scored{pairs[i].Set, examples[i].probability(w), pairs[i].Positive})
		}
	}
	return r
}

// readable returns the examples with candidates, without those of a fold.
func readable(examples []example, without int) (kept []example) {
	for i, e := range examples {
		if len(e.candidates) > 0 && i%folds != without {
			kept = append(kept, e)
		}
	}
	return kept
}

func exampleOf(p Pair) example {
	a, b := detect.Read(p.A), detect.Read(p.B)
	known := clash.Context{}
	if f, found := rule.Compare(a, b); found {
		known.Ruled = f.Score
	}
	e := example{positive: p.Positive, weight: p.Weight, prior: prior()}
	for _, features := range clash.Described(a.Frame(), b.Frame(), known) {
		row := make([]float64, 0, len(features)+1)
		for _, x := range features {
			row = append(row, float64(x))
		}
		e.candidates = append(e.candidates, append(row, 1))
	}
	return e
}

// priors choose the candidate that decides before there are weights: values before
// names before words, and of these the one with most in common around it.
var priors = map[string]float64{
	"family number": 1.3, "family measure": 1.5, "family share": 1.5, "family port": 1.6, "family version": 1.5, "family calendar": 1.4,
	"family polarity": 0.7, "family opposite": 1.1, "family alternative": 1.3, "family identifier": 1.1, "family name": 0.9, "family order": 1.2,
	"family list": 1, "family quantifier": 0.3, "family policy": 0.5, "coverage near the place, better": 1, "coverage near the place, other": 1.5,
	"coverage of clause, other": 0.5, "same noun counted": 0.5, "other noun counted": -0.7, "words around match": 0.3, "extra of order": 0.5,
}

func prior() []float64 {
	names := clash.FeatureNames()
	w := make([]float64, len(names)+1)
	for i, name := range names {
		w[i] = priors[name]
	}
	return w
}

// Source returns the Go file with the weights.
func (r Result) Source() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package clash\n\n// weights are those of the features, and the constant. Made by `engram-eval weights`;\n// do not edit.\n")
	fmt.Fprintf(&b, "var weights = [...]float64{\n")
	for i, name := range append(clash.FeatureNames(), "constant") {
		fmt.Fprintf(&b, "%.4f, // %s\n", r.Weights[i], strings.TrimSpace(name))
	}
	b.WriteString("}\n")
	return format.Source(b.Bytes())
}

// Count sums up a set at two thresholds; the empty set is all pairs.
func (r Result) Count(set string, sure, likely float64) Outcome {
	o := Outcome{Set: set}
	for _, s := range r.Scored {
		if set != "" && s.Set != set {
			continue
		}
		o.Pairs++
		o.Positives += count(s.Positive)
		o.Contradictions += count(s.Probability >= sure)
		o.Right += count(s.Probability >= sure && s.Positive)
		o.Flagged += count(s.Probability >= likely)
		o.FlaggedRight += count(s.Probability >= likely && s.Positive)
	}
	return o
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
