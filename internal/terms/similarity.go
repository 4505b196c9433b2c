package terms

import (
	"math"
	"slices"
	"strings"
)

// figureWeight is what a term with a digit in it counts beside a word: a number
// is what changes most often when a claim is brought up to date.
const figureWeight = 0.25

// Similarity is how much of their words two texts share: the cosine of their
// sets of terms, 0 to 1, in which numbers count little. Words count the same,
// however rare: weighing them by that tells an updated sentence from its
// neighbours less well (docs/retrieval.md).
func Similarity(a, b string) float64 {
	x, y := Distinct(a), Distinct(b)
	shared := 0.0
	for _, term := range x {
		if _, ok := slices.BinarySearch(y, term); ok {
			shared += termWeight(term)
		}
	}
	if shared == 0 {
		return 0
	}
	return shared / math.Sqrt(totalWeight(x)*totalWeight(y))
}

func totalWeight(terms []string) (sum float64) {
	for _, term := range terms {
		sum += termWeight(term)
	}
	return sum
}

func termWeight(term string) float64 {
	if strings.ContainsAny(term, "0123456789") {
		return figureWeight
	}
	return 1
}

// Distinct returns the terms of a text, each once.
func Distinct(text string) []string {
	terms := Terms(text)
	slices.Sort(terms)
	return slices.Compact(terms)
}
