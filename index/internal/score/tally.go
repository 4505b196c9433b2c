package score

import "sync"

// tally adds up a score, above 0, for documents of a segment.
type tally struct {
	first   uint32    // the document of the first score
	scores  []float64 // by document; 0 beyond the documents of the segment
	touched []uint32  // documents with a score, in the order in which they got it
}

// reset begins again, for size documents from first on.
func (t *tally) reset(first uint32, size int) {
	for _, doc := range t.touched {
		t.scores[doc-t.first] = 0
	}
	t.first, t.touched = first, t.touched[:0]
	if cap(t.scores) < size {
		t.scores = make([]float64, size)
	}
	t.scores = t.scores[:size]
}

func (t *tally) add(doc uint32, score float64) {
	if t.of(doc) == 0 {
		t.touched = append(t.touched, doc)
	}
	t.scores[doc-t.first] += score
}

// of returns the score of a document.
func (t *tally) of(doc uint32) float64 { return t.scores[doc-t.first] }

// Scratch lends memory to scorers, which would take as long to make as to use. It is
// safe for concurrent use; the zero value is ready.
type Scratch struct{ tallies sync.Pool }

func (s *Scratch) lend() *tally {
	if t, ok := s.tallies.Get().(*tally); ok {
		return t
	}
	return new(tally)
}

func (s *Scratch) takeBack(t *tally) { s.tallies.Put(t) }
