package index

import (
	"cmp"
	"slices"
)

// candidate is a document that may be an answer.
type candidate struct {
	docID
	score   float64
	overlap float64 // of its pointers with the question, where that counts
}

// compare orders candidates, the best first.
func (c candidate) compare(d candidate) int {
	return cmp.Or(cmp.Compare(d.score, c.score), d.Window.From.Compare(c.Window.From),
		cmp.Compare(c.Key, d.Key), cmp.Compare(c.Blob, d.Blob))
}

// topList keeps the best candidates in order, and counts all.
type topList struct {
	limit, total int
	compare      func(a, b candidate) int
	best         []candidate
}

// offerAll takes the documents of a segment that pass the filter, with a score
// of 0, in the order of candidate.compare: those that began latest win. What began
// earlier than all of a full list is not loaded.
func (t *topList) offerAll(f *filter) error {
	for it := f.documents().Iterator(); it.HasNext(); {
		doc := it.Next()
		if f.present && f.known == nil && len(t.best) == t.limit {
			g, err := f.seg.glimpse(doc)
			if err != nil {
				return err
			}
			if g.window.From.Before(t.best[t.limit-1].Window.From) {
				if g.holds(f.moment, true) {
					t.total++
				}
				continue
			}
		}
		if err := t.offer(f, doc, 0, 0); err != nil {
			return err
		}
	}
	return nil
}

// offerScored takes the documents that have a score and pass the filter. What
// is known of a document costs a hundred times what its score does, so it is
// loaded for those alone that can be among the best.
func (t *topList) offerScored(f *filter, scored *tally, overlap func(doc uint32) float64) error {
	allowed := dense(f.allowed)
	least := t.least(f, scored, allowed)
	for _, doc := range scored.touched {
		if !allowed.has(doc) {
			continue
		}
		score := scored.scores[doc]
		if score < least && f.known == nil {
			holds, err := f.holds(doc)
			if err != nil {
				return err
			}
			if holds {
				t.total++
			}
			continue
		}
		shared := 0.0
		if overlap != nil {
			shared = overlap(doc)
		}
		if err := t.offer(f, doc, score, shared); err != nil {
			return err
		}
	}
	return nil
}

// least is a score below which no document that is settled can be among the
// best, given what the list has and what the segment offers.
func (t *topList) least(f *filter, scored *tally, allowed denseSet) float64 {
	top := make([]float64, 0, t.limit+1) // falling
	for _, c := range t.best {
		top = append(top, c.score)
	}
	for _, doc := range scored.touched {
		score := scored.scores[doc]
		if len(top) == t.limit && score <= top[len(top)-1] || !allowed.has(doc) || !f.settled(doc) {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, score, func(a, b float64) int { return cmp.Compare(b, a) })
		top = slices.Insert(top[:min(len(top), t.limit-1)], at, score)
	}
	if len(top) < t.limit {
		return 0
	}
	return top[len(top)-1]
}

// offer takes a document that has a score, if it passes the filter and is
// among the best.
func (t *topList) offer(f *filter, doc uint32, score, overlap float64) error {
	if f.settled(doc) && !t.mayTake(score) {
		t.total++
		return nil
	}
	id, ok, err := f.load(doc)
	if err != nil || !ok {
		return err
	}
	t.total++
	t.take(candidate{id, score, overlap})
	return nil
}

// mayTake reports whether a candidate of that score could be among the best.
func (t *topList) mayTake(score float64) bool {
	return len(t.best) < t.limit || score >= t.best[len(t.best)-1].score
}

func (t *topList) take(c candidate) {
	if !t.mayTake(c.score) {
		return
	}
	at, _ := slices.BinarySearchFunc(t.best, c, t.compare)
	if at >= t.limit {
		return
	}
	t.best = slices.Insert(t.best[:min(len(t.best), t.limit-1)], at, c)
}

// merge takes what another list of the same order has.
func (t *topList) merge(other *topList) {
	t.total += other.total
	for _, c := range other.best {
		t.take(c)
	}
}

// hits are the best candidates as a caller sees them.
func (t *topList) hits() ([]Hit, error) {
	hits := make([]Hit, len(t.best))
	for i, c := range t.best {
		var err error
		if hits[i], err = hitOf(c.docID, c.score); err != nil {
			return nil, err
		}
	}
	return hits, nil
}
