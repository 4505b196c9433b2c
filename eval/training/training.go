// Package training makes the model of package clash from labelled pairs, and says how
// good they are by cross-validation. The same pairs give the same model.
package training

import (
	"slices"
	"strings"

	"engram/detect"
	"engram/detect/clash"
	"engram/detect/rule"
	"engram/facts"
)

// Pair is a labelled pair of facts.
type Pair struct {
	Set      string // what it came from
	Group    string // who wrote it: pairs of one group are judged by a model made without it
	A, B     facts.Fact
	Positive bool
	Weight   float64 // how much it counts in fitting
}

// How the regression is fitted: the strength of the penalty was chosen by
// cross-validation, and the rounds are enough for the choice of candidates to settle.
const (
	ridge  = 6
	rounds = 6
	steps  = 8
)

// trees is how the trees are fitted, chosen by cross-validation.
func trees() boosting {
	return boosting{trees: 300, rate: 0.04, share: 0.6, features: 25, least: 15, ridge: 1}
}

// Outcome is what one set of pairs came to in cross-validation.
type Outcome struct {
	Set                   string
	Pairs, Positives      int
	Contradictions, Right int // above the upper threshold, and those of them that are positive
	Flagged, FlaggedRight int // above the lower one
}

// Result is what training came to.
type Result struct {
	Model  clash.Model
	Scored []Scored
}

// Scored is a pair with its probability, by a model that was made without its group, and
// the family of the candidate that decided.
type Scored struct {
	Pair
	Probability float64
	Family      string
	Apart       bool // see clash.Clash
	Ruled       bool // a rule found something
}

// Train fits a model to pairs, and judges the pairs of each group by one that was fitted
// without them.
func Train(pairs []Pair) Result {
	examples := make([]example, len(pairs))
	var groups []string
	for i, p := range pairs {
		examples[i] = exampleOf(p)
		if !slices.Contains(groups, p.Group) {
			groups = append(groups, p.Group)
		}
	}
	r := Result{Model: fitModel(examples)}
	for _, group := range groups {
		var others []example
		for i, e := range examples {
			if pairs[i].Group != group {
				others = append(others, e)
			}
		}
		m := fitModel(others)
		for i, e := range examples {
			if pairs[i].Group == group {
				s := Scored{Pair: pairs[i]}
				if len(e.candidates) > 0 {
					d := e.described[decide(e, m.Weights)]
					s.Probability, s.Family, s.Apart = m.Probability(d.Features), familyOf(d.Features), d.Apart
					s.Ruled = e.ruled
				}
				r.Scored = append(r.Scored, s)
			}
		}
	}
	return r
}

// fitModel fits the regression, and the trees to the candidates that it chooses.
func fitModel(examples []example) clash.Model {
	examples = slices.DeleteFunc(slices.Clone(examples), func(e example) bool { return len(e.candidates) == 0 })
	m := clash.Model{Weights: fit(examples, fitting{ridge: ridge, rounds: rounds, steps: steps})}
	rows, positive, weight := make([]clash.Features, len(examples)), make([]bool, len(examples)), make([]float64, len(examples))
	for i, e := range examples {
		rows[i], positive[i], weight[i] = e.described[decide(e, m.Weights)].Features, e.positive, e.weight
	}
	m.Base, m.Trees = boost(rows, positive, weight, trees())
	return m
}

func exampleOf(p Pair) example {
	a, b := detect.Read(p.A), detect.Read(p.B)
	known := clash.Context{}
	if f, found := rule.Compare(a, b); found {
		known.Ruled = f.Score
	}
	e := example{ruled: known.Ruled > 0, positive: p.Positive, weight: p.Weight, prior: prior(), described: clash.Described(a.Frame(), b.Frame(), known)}
	for _, d := range e.described {
		row := make([]float64, 0, len(d.Features)+1)
		for _, x := range d.Features {
			row = append(row, float64(x))
		}
		e.candidates = append(e.candidates, append(row, 1))
	}
	return e
}

// familyOf returns the name of the family among features.
func familyOf(f clash.Features) string {
	for i, name := range clash.FeatureNames() {
		if family, ok := strings.CutPrefix(name, "family "); ok && f[i] > 0 {
			return family
		}
	}
	return ""
}

// priors choose the candidate that decides before there is a regression: values before
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
