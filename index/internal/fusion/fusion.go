// Package fusion joins what several signals found: by reciprocal ranks, weighted by the signal
// and by how near a candidate's score is to the best. Facts and events share it.
package fusion

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

// Relevance is the reciprocal rank fusion of where the signals put a candidate,
// as a share of what the first place in all of them would give: 0 to 1. Each
// reciprocal rank is weighted by how near the candidate's score is to the best
// of that signal, squared: a second that is nearly as good counts nearly as
// much, and one that was merely the next best counts little.
func Relevance(places []Placed, active []Signal) float64 {
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

// LeastCosine is how near a text has to be for its vector to recommend it.
const LeastCosine = 0.2

// ScanIsCheaper weighs two ways to the best wanted vectors among documents of some segments of
// which some pass a filter: to look at each of these documents, or to take the nearest of
// all vectors and look each up in every segment until enough pass. A look and a
// lookup both cost about half a microsecond.
func ScanIsCheaper(passing, all, segments, wanted int) bool {
	return passing == 0 || passing < segments*wanted*all/passing
}
