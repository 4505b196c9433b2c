package rank

import (
	"math"
	"time"

	"engram/facts"
	"engram/index/internal/version"
)

// Signal is one way of finding candidates.
type Signal string

// The signals.
const (
	Words    Signal = "words"    // BM25
	Keys     Signal = "keys"     // hash keys
	Entities Signal = "entities" // concepts that question and fact both name
	Vectors  Signal = "vectors"  // cosine of embeddings
)

// Signals lists all signals.
func Signals() []Signal { return []Signal{Words, Keys, Entities, Vectors} }

// Placed is where a signal put a candidate.
type Placed struct {
	Signal Signal
	Rank   int     // from 1
	Score  float64 // BM25, sum of key weights, or cosine
	Best   float64 // the score of the signal's first candidate
}

// rankConstant is the k of reciprocal rank fusion (Cormack, Clarke and Buettcher,
// SIGIR 2009). They take 60, for lists of a thousand. For a hundred candidates
// that makes the tenth as good as nine tenths of the first, beside which every
// other part of the score is too large (docs/retrieval.md).
const rankConstant = 10

// share is the weight of a signal in the fusion. Words are what a question is
// most reliably answered by; the others add to them.
func (s Signal) share() float64 {
	switch s {
	case Keys, Entities:
		return 0.3
	case Vectors:
		return 0.5
	}
	return 1
}

// relevance is the reciprocal rank fusion of where the signals put a candidate,
// as a share of what the first place in all of them would give: 0 to 1. Each
// reciprocal rank is weighted by how near the candidate's score is to the best
// of that signal, squared: a second that is nearly as good counts nearly as
// much, and one that was merely the next best counts little.
func relevance(places []Placed, active []Signal) float64 {
	sum, most := 0.0, 0.0
	for _, p := range places {
		if p.Best > 0 {
			nearness := p.Score / p.Best
			sum += p.Signal.share() * nearness * nearness / float64(rankConstant+p.Rank)
		}
	}
	for _, s := range active {
		most += s.share() / (rankConstant + 1)
	}
	if most == 0 {
		return 0
	}
	return sum / most
}

// Weights are the weights of source document 4's score. Relevance counts 1.
type Weights struct {
	Recency       float64
	Trust         float64
	Type          float64
	Provenance    float64
	Corroboration float64
	Density       float64
}

// DefaultWeights returns the weights of source document 4.
func DefaultWeights() Weights {
	return Weights{Recency: 0.2, Trust: 0.15, Type: 0.1, Provenance: 0.1, Corroboration: 0.1, Density: 0.05}
}

// Parts are the terms of a score (source document 4, engram_query step 4), each before its
// weight.
type Parts struct {
	Relevance     float64 // 0 to 1
	Recency       float64 // exp(−0.05 · days since it was committed)
	Trust         float64 // of the agent, 0 to 1
	Type          float64 // decision 1, inference 0.5, observation 0
	Provenance    float64 // 1 where it names evidence
	Corroboration float64 // log(1 + agents that say nearly the same)
	Density       float64 // entities in the claim, of 5 at most: 0 to 1
	Durability    float64 // factor of all: 0.6 for an ephemeral fact (source document 4, phase 8), otherwise 1
}

// Score is the weighted sum.
func (t Parts) Score(w Weights) float64 {
	return t.Durability * (t.Relevance + w.Recency*t.Recency + w.Trust*t.Trust + w.Type*t.Type +
		w.Provenance*t.Provenance + w.Corroboration*t.Corroboration + w.Density*t.Density)
}

const (
	recencyDecay    = 0.05 // a day
	fullDensity     = 5    // entities
	ephemeralFactor = 0.6
)

// partsOf are the terms that follow from the traits and the moment of the
// question; trust, corroboration and relevance are the caller's.
func partsOf(t version.Traits, moment time.Time) Parts {
	days := max(0, moment.Sub(t.Committed).Hours()/24)
	terms := Parts{
		Recency: math.Exp(-recencyDecay * days), Trust: 1,
		Density: math.Min(1, float64(t.Entities)/fullDensity), Durability: 1,
	}
	switch t.Type {
	case facts.Decision:
		terms.Type = 1
	case facts.Inference:
		terms.Type = 0.5
	}
	if t.Verified {
		terms.Provenance = 1
	}
	if t.Ephemeral {
		terms.Durability = ephemeralFactor
	}
	return terms
}
