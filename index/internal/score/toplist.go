package score

import (
	"cmp"
	"slices"

	"engram/index/internal/query"
	"engram/index/internal/store"
	"engram/index/internal/version"
)

// Candidate is a document that may be an answer.
type Candidate struct {
	version.ID
	Score   float64
	Overlap float64 // of its pointers with the question, where that counts
}

// Compare orders candidates, the best first.
func (c Candidate) Compare(d Candidate) int {
	return cmp.Or(cmp.Compare(d.Score, c.Score), d.Window.From.Compare(c.Window.From),
		cmp.Compare(c.Key, d.Key), cmp.Compare(c.Blob, d.Blob))
}

// TopList keeps the best candidates in order, and counts all.
type TopList struct {
	Limit, Total int
	Compare      func(a, b Candidate) int
	Best         []Candidate
}

// offerAll takes the documents of a segment that pass the filter, with a score
// of 0, in the order of candidate.compare: those that began latest win. What began
// earlier than all of a full list is not loaded.
func (t *TopList) offerAll(f *query.Filter) error {
	if f.Newest != nil && f.Present && f.Known == nil {
		return t.offerNewest(f)
	}
	for it := f.Documents().Iterator(); it.HasNext(); {
		doc := it.Next()
		if f.Present && f.Known == nil && len(t.Best) == t.Limit {
			g, err := f.Seg.Summary(doc)
			if err != nil {
				return err
			}
			if g.Window.From.Before(t.Best[t.Limit-1].Window.From) {
				if g.Holds(f.Moment, true) {
					t.Total++
				}
				continue
			}
		}
		if err := t.Offer(f, doc, 0, 0); err != nil {
			return err
		}
	}
	return nil
}

// offerNewest is offerAll for a segment whose documents are in the order of the list: the first
// that has no place ends the search, and the others are counted.
func (t *TopList) offerNewest(f *query.Filter) error {
	allowed, full := store.Dense(f.Documents()), false
	for _, doc := range f.Newest {
		switch {
		case !allowed.Has(doc):
		case !full:
			id, holds, err := f.Load(doc)
			if err != nil {
				return err
			}
			if holds {
				t.Total++
				full = !t.Take(Candidate{ID: id})
			}
		default:
			holds, err := f.Holds(doc)
			if err != nil {
				return err
			}
			if holds {
				t.Total++
			}
		}
	}
	return nil
}

// offerScored takes the documents that have a score and pass the filter. What
// is known of a document costs a hundred times what its score does, so it is
// loaded for those alone that can be among the best.
func (t *TopList) offerScored(f *query.Filter, scored *tally, overlap func(doc uint32) float64) error {
	allowed := store.Dense(f.Allowed)
	least := t.least(f, scored, allowed)
	for _, doc := range scored.touched {
		if !allowed.Has(doc) {
			continue
		}
		score := scored.of(doc)
		if score < least && f.Known == nil {
			holds, err := f.Holds(doc)
			if err != nil {
				return err
			}
			if holds {
				t.Total++
			}
			continue
		}
		shared := 0.0
		if overlap != nil {
			shared = overlap(doc)
		}
		if err := t.Offer(f, doc, score, shared); err != nil {
			return err
		}
	}
	return nil
}

// least is a score below which no document that is settled can be among the
// best, given what the list has and what the segment offers.
func (t *TopList) least(f *query.Filter, scored *tally, allowed store.DenseSet) float64 {
	top := make([]float64, 0, t.Limit+1) // falling
	for _, c := range t.Best {
		top = append(top, c.Score)
	}
	for _, doc := range scored.touched {
		score := scored.of(doc)
		if len(top) == t.Limit && score <= top[len(top)-1] || !allowed.Has(doc) || !f.AlwaysHolds(doc) {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, score, func(a, b float64) int { return cmp.Compare(b, a) })
		top = slices.Insert(top[:min(len(top), t.Limit-1)], at, score)
	}
	if len(top) < t.Limit {
		return 0
	}
	return top[len(top)-1]
}

// Offer takes a document that has a score, if it passes the filter and is
// among the best.
func (t *TopList) Offer(f *query.Filter, doc uint32, score, overlap float64) error {
	if f.AlwaysHolds(doc) && !t.mayTake(score) {
		t.Total++
		return nil
	}
	id, ok, err := f.Load(doc)
	if err != nil || !ok {
		return err
	}
	t.Total++
	t.Take(Candidate{id, score, overlap})
	return nil
}

// mayTake reports whether a candidate of that score could be among the best.
func (t *TopList) mayTake(score float64) bool {
	return len(t.Best) < t.Limit || score >= t.Best[len(t.Best)-1].Score
}

// Take offers a candidate to the list, and reports whether it has a place there.
func (t *TopList) Take(c Candidate) bool {
	if !t.mayTake(c.Score) {
		return false
	}
	at, _ := slices.BinarySearchFunc(t.Best, c, t.Compare)
	if at >= t.Limit {
		return false
	}
	t.Best = slices.Insert(t.Best[:min(len(t.Best), t.Limit-1)], at, c)
	return true
}

// Merge takes what another list of the same order has.
func (t *TopList) Merge(other *TopList) {
	t.Total += other.Total
	for _, c := range other.Best {
		t.Take(c)
	}
}

// Hits are the best candidates as a caller sees them.
func (t *TopList) Hits() ([]query.Hit, error) {
	hits := make([]query.Hit, len(t.Best))
	for i, c := range t.Best {
		var err error
		if hits[i], err = query.NewHit(c.ID, c.Score); err != nil {
			return nil, err
		}
	}
	return hits, nil
}
