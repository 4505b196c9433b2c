package score

import "slices"

// tally adds up a score, above 0, for documents of a segment.
type tally struct {
	scores  []float64 // by document
	touched []uint32  // documents with a score, in the order in which they got it
}

func (t *tally) reset(size int) {
	t.touched = t.touched[:0]
	t.scores = slices.Grow(t.scores[:0], size)[:size]
	clear(t.scores)
}

func (t *tally) add(doc uint32, score float64) {
	if t.scores[doc] == 0 {
		t.touched = append(t.touched, doc)
	}
	t.scores[doc] += score
}
