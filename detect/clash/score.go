package clash

import (
	"math"

	"engram/detect/frame"
)

// best returns the candidate with the highest probability; the first of equals.
func (p *pair) best(weights []float64) candidate {
	var best candidate
	features := make(Features, 0, len(weights))
	for i, c := range p.candidates {
		features = p.describe(features[:0], c)
		c.probability = max(probability(weights, features), p.plain(c))
		if i == 0 || c.probability > best.probability {
			best = c
		}
	}
	return best
}

// The share of both claims from which on they say the same but for what clashes, and the
// probability that this has at least. It is less than what opens a conflict.
const (
	plainCoverage    = 0.75
	plainProbability = 0.5
)

// plain is the least probability of claims that say nothing but what clashes, for those
// too short to say more: "sessions last an hour", "a session is valid for 30 minutes".
func (p *pair) plain(c candidate) float64 {
	switch c.family {
	case Rest, Quantifier, Policy, List, Name, Identifier:
		return 0
	}
	if all := p.covered(span{0, len(p.a.Tokens)}, span{0, len(p.b.Tokens)}, c); all.other < plainCoverage || c.told || p.apart(c) {
		return 0
	}
	return plainProbability
}

// probability is the logistic function of the weighted features; the last weight is the
// constant.
func probability(weights []float64, f Features) float64 {
	return 1 / (1 + math.Exp(-dot(weights, f)))
}

func dot(weights []float64, f Features) float64 {
	sum := weights[len(weights)-1]
	for i, x := range f {
		sum += weights[i] * float64(x)
	}
	return sum
}

// Described returns the features of all candidates between two claims, for making
// weights; none if the claims are not about one thing.
func Described(a, b *frame.Frame, known Context) []Features {
	if a.Text == b.Text || !meets(a.Keys, b.Keys) {
		return nil
	}
	if b.Text < a.Text {
		a, b = b, a
	}
	p := newPair(a, b, known)
	var all []Features
	for _, c := range p.candidates {
		all = append(all, p.describe(nil, c))
	}
	return all
}

// FeatureNames returns the names of the features, for reports about weights.
func FeatureNames() []string { return featureNames() }
