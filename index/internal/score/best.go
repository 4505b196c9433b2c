package score

import (
	"cmp"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"

	"engram/index/internal/store"
)

// RarestFirst makes Best read the rarest terms first, which it needs to pass over
// documents.
func (s *BM25) RarestFirst() {
	slices.SortFunc(s.Terms, func(a, b Term) int { return cmp.Or(cmp.Compare(a.count, b.count), strings.Compare(a.Text, b.Text)) })
}

// Matching are the documents of segment i that have any of the terms.
func (s *BM25) Matching(i int) (*roaring.Bitmap, error) {
	all := roaring.New()
	if len(s.segments) == 0 {
		return all, nil
	}
	for _, t := range s.Terms {
		set, err := store.Numbers(s.segments[i], t.Postings[i])
		if err != nil {
			return nil, err
		}
		all.Or(set)
	}
	return all, nil
}

// Best calls visit with the documents of segment i that are allowed (nil: all) and that
// can be among the best limit, in no order: all documents with a score of at least the
// one that it returns, which is least or more. Common terms are read only for the
// documents that the rarer ones left in the race (Turtle and Flood, Query Evaluation:
// Strategies and Optimizations, 1995, §4: max-score).
func (s *BM25) Best(i int, allowed *roaring.Bitmap, limit int, least float64, visit func(doc uint32, score float64)) (float64, error) {
	if len(s.segments) == 0 || len(s.Terms) == 0 {
		return least, nil
	}
	scored := s.scratch.lend()
	defer s.scratch.takeBack(scored)
	size := s.segments[i].Size()
	scored.reset(0, size)
	dense, only := store.Dense(allowed), few(allowed, size)
	rest := 0.0 // the most that the terms that follow can add
	for _, t := range s.Terms {
		rest += t.most()
	}
	var iterator segmentapi.PostingsIterator
	var err error
	for _, t := range s.Terms {
		if len(scored.touched) > 0 || least > rest {
			least = scored.least(limit, least, dense)
			if left := scored.within(least-rest-rounding, dense, size/4); least > rest && left != nil {
				only = left
			}
		}
		if iterator, err = s.add(t, i, only, scored, iterator); err != nil {
			return least, err
		}
		rest -= t.most()
	}
	least = scored.least(limit, least, dense)
	for _, doc := range scored.touched {
		if score := scored.of(doc); score >= least && dense.Has(doc) {
			visit(doc, score)
		}
	}
	return least, nil
}

// most is the most that a term can add to a score.
func (t Term) most() float64 { return t.idf * (bm25K1 + 1) }

// least is the score of the limit-th best document so far, or floor if that is more.
func (t *tally) least(limit int, floor float64, allowed store.DenseSet) float64 {
	worst := make([]float64, 0, limit+1) // a heap, the worst on top
	for _, doc := range t.touched {
		score := t.of(doc)
		if score < floor || len(worst) == limit && score <= worst[0] || !allowed.Has(doc) {
			continue
		}
		if len(worst) == limit {
			worst[0] = score
			siftDown(worst)
			continue
		}
		worst = append(worst, score)
		siftUp(worst)
	}
	if len(worst) < limit {
		return floor
	}
	return worst[0]
}

func siftUp(heap []float64) {
	for at := len(heap) - 1; at > 0; {
		above := (at - 1) / 2
		if heap[above] <= heap[at] {
			return
		}
		heap[above], heap[at] = heap[at], heap[above]
		at = above
	}
}

func siftDown(heap []float64) {
	for at := 0; ; {
		below := 2*at + 1
		if below >= len(heap) {
			return
		}
		if below+1 < len(heap) && heap[below+1] < heap[below] {
			below++
		}
		if heap[at] <= heap[below] {
			return
		}
		heap[at], heap[below] = heap[below], heap[at]
		at = below
	}
}

// within are the documents with at least a score; nil if there are more than a limit.
func (t *tally) within(score float64, allowed store.DenseSet, limit int) *roaring.Bitmap {
	var docs []uint32
	for _, doc := range t.touched {
		if t.of(doc) >= score && allowed.Has(doc) {
			if docs = append(docs, doc); len(docs) > limit {
				return nil
			}
		}
	}
	slices.Sort(docs)
	return roaring.BitmapOf(docs...)
}

// rounding is more than sums of the same scores in different orders differ by.
const rounding = 1e-9

// HaveAll removes from a set of documents of segment i those that lack any of the terms.
func (s *BM25) HaveAll(i int, docs *roaring.Bitmap) error {
	if len(s.segments) == 0 {
		docs.Clear()
		return nil
	}
	for _, t := range s.Terms {
		iterator := t.Postings[i].Iterator(false, false, false, nil)
		have := roaring.New()
		if restrict(iterator, docs) {
			for {
				p, err := iterator.Next()
				if err != nil {
					return err
				}
				if p == nil {
					break
				}
				have.Add(uint32(p.Number()))
			}
		}
		docs.And(have)
		if docs.IsEmpty() {
			return nil
		}
	}
	return nil
}
