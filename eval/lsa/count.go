package lsa

import (
	"cmp"
	"math"
	"slices"
)

// window is how many words the context of a word reaches; a neighbour counts by
// one over its distance.
const window = 5

// counts is how often sub-words occur, and how often two of them near each
// other.
type counts struct {
	occurrences []float64 // by number of the sub-word
	total       float64
	pairs       map[[2]int32]float64 // the smaller number first
}

func newCounts(size int) *counts {
	return &counts{occurrences: make([]float64, size), pairs: make(map[[2]int32]float64)}
}

// add counts a text. The parts of one word are not neighbours of each other: that
// they make up a word says nothing of what it means.
func (c *counts) add(words [][]int) {
	for i, word := range words {
		for _, id := range word {
			c.occurrences[id]++
			c.total++
		}
		for distance := 1; distance <= window && i+distance < len(words); distance++ {
			for _, id := range word {
				for _, other := range words[i+distance] {
					c.pairs[[2]int32{int32(min(id, other)), int32(max(id, other))}] += 1 / float64(distance)
				}
			}
		}
	}
}

// Constants of the weighting, from the paper in the package comment.
const (
	smoothing = 0.75 // exponent of the contexts' distribution: rare contexts count less
	shift     = 0.69 // log 2: a pair has to be twice as frequent as by chance
)

// ppmi is the matrix of shifted positive PMI between the sub-words that occur:
// row i is that of known[i].
func (c *counts) ppmi() (m *sparse, known []int) {
	place := make(map[int32]int)
	for id, n := range c.occurrences {
		if n > 0 {
			place[int32(id)] = len(known)
			known = append(known, id)
		}
	}
	entries := make([]entry, 0, 2*len(c.pairs))
	for pair, n := range c.pairs {
		a, b := place[pair[0]], place[pair[1]]
		entries = append(entries, entry{a, b, n})
		if a == b {
			continue
		}
		entries = append(entries, entry{b, a, n})
	}
	// In a fixed order, because sums of floating point depend on it.
	slices.SortFunc(entries, func(x, y entry) int { return cmp.Or(cmp.Compare(x.row, y.row), cmp.Compare(x.column, y.column)) })
	return weigh(entries, len(known)), known
}

func weigh(entries []entry, size int) *sparse {
	rows := make([]float64, size)
	for _, e := range entries {
		rows[e.row] += e.value
	}
	contexts := 0.0
	for _, n := range rows { // counts are symmetric, so rows and contexts are alike
		contexts += math.Pow(n, smoothing)
	}
	kept := entries[:0]
	for _, e := range entries {
		chance := rows[e.row] * math.Pow(rows[e.column], smoothing) / contexts
		if e.value = math.Log(e.value/chance) - shift; e.value > 0 {
			kept = append(kept, e)
		}
	}
	return newSparse(kept, size)
}
