package rank

import (
	"math"
	"time"

	"engram/facts"
	"engram/index/internal/fusion"
	"engram/index/internal/version"
)

// The signals that find candidates, and where they put them.
type (
	Signal = fusion.Signal
	Placed = fusion.Placed
)

// The signals.
const (
	Words    = fusion.Words
	Keys     = fusion.Keys
	Entities = fusion.Entities
	Vectors  = fusion.Vectors
)

// Weights are the weights of source document 4's fusion. Relevance counts 1.
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
