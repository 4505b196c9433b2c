package index

import (
	"math"
	"slices"
)

// Similarity is how much of their words two texts share: the cosine of their
// sets of terms, 0 to 1. All terms count the same; weighing them by how rare
// they are tells an updated sentence from its neighbours less well.
func Similarity(a, b string) float64 {
	x, y := distinctTerms(a), distinctTerms(b)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	shared := 0
	for _, term := range x {
		if _, ok := slices.BinarySearch(y, term); ok {
			shared++
		}
	}
	return float64(shared) / math.Sqrt(float64(len(x)*len(y)))
}

func distinctTerms(text string) []string {
	terms := Terms(text)
	slices.Sort(terms)
	return slices.Compact(terms)
}
