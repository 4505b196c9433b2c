package rank

import (
	"slices"

	"engram/index/internal/fusion"
)

// Together makes the scores of the answers of several indexes to one question
// comparable, and sorts the hits of each again.
//
// Relevance is a share of what the best candidate of a signal has, and the best of
// a small index may be poor: what it brings is compared with the best of all of
// them instead. A signal that found anything anywhere counts for all. Ranks stay
// those within each index, and so do the statistics of its words.
func Together(answers []*Answer, w Weights) {
	best := make(map[Signal]float64)
	var active []Signal
	for _, a := range answers {
		for _, s := range a.Active {
			if !slices.Contains(active, s) {
				active = append(active, s)
			}
		}
		for _, hit := range a.Hits {
			for _, p := range hit.Places {
				best[p.Signal] = max(best[p.Signal], p.Best)
			}
		}
	}
	for _, a := range answers {
		a.Hits = slices.Clone(a.Hits)
		for i := range a.Hits {
			hit := &a.Hits[i]
			hit.Places = slices.Clone(hit.Places)
			for j := range hit.Places {
				hit.Places[j].Best = best[hit.Places[j].Signal]
			}
			hit.Parts.Relevance = fusion.Relevance(hit.Places, active)
			hit.Score = hit.Parts.Score(w)
		}
		slices.SortFunc(a.Hits, compareRanked)
	}
}
