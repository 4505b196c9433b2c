package events

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"engram/index/internal/embedding"
	"engram/index/internal/score"
	"engram/index/internal/store"
	"engram/index/internal/version"
	"engram/internal/terms"
)

const defaultLimit = 10

// search answers a query from an open index.
func (x *Index) search(ctx context.Context, s *store.Store, loan *embedding.Loan, q Query) (a Answer, err error) {
	words := terms.OfQuestion(q.Text)
	if strings.TrimSpace(q.Text) != "" && len(words) == 0 && len(q.Exact) == 0 {
		return Answer{Hits: []Hit{}}, nil // it has no word that anything could be found by
	}
	near := x.question(ctx, s.Segments(), loan, q, words)
	err = store.Guard(func() (err error) {
		a, err = x.answer(ctx, s.Segments(), q, words, near)
		return err
	})
	a.Compared, a.Pending = near.vector != nil, near.pending
	if err != nil && ctx.Err() == nil {
		s.Damaged.Store(true)
		err = fmt.Errorf("search the index: %w", err)
	}
	return a, err
}

func (x *Index) answer(ctx context.Context, segments []store.Segment, q Query, words []string, near question) (Answer, error) {
	bm25, err := score.NewBM25(segments, words, &x.scratch)
	if err != nil {
		return Answer{}, err
	}
	bm25.RarestFirst()
	end := max(0, q.Offset) + cmp.Or(max(0, q.Limit), defaultLimit)
	pool := end
	if near.vector != nil {
		pool = max(pool, poolSize)
	}
	found, err := sweep(ctx, segments, q, bm25, words, pool)
	if err != nil {
		return Answer{}, err
	}
	matching, others := found.matching, found.others
	var a Answer
	var hits []placed
	for _, t := range found.tops {
		hits = append(hits, t.hits...)
	}
	slices.SortFunc(hits, compare)
	for i := range segments {
		a.Total += int(matching[i].GetCardinality())
		if others[i] != nil {
			a.Total += int(others[i].GetCardinality())
		}
	}
	if near.vector != nil {
		var added int
		if hits, added, err = near.join(bm25, len(words), segments, found.sets, hits[:min(len(hits), pool)]); err != nil {
			return Answer{}, err
		}
		a.Total += added
	} else if len(words) > 0 && !q.Newest {
		place(hits)
	}
	switch {
	case q.Newest && len(q.Exact) > 0:
		for i := range others {
			if others[i] != nil {
				matching[i].Or(others[i])
			}
		}
		fallthrough
	case q.Newest || len(words) == 0:
		hits, err = newest(segments, matching, end)
	case len(hits) < end:
		var more []placed
		more, err = newest(segments, others, end-len(hits))
		hits = append(hits, more...)
	}
	hits = hits[min(len(hits), max(0, q.Offset)):min(len(hits), end)]
	if q.WithStored && err == nil {
		err = complete(segments, hits)
	}
	a.Hits = make([]Hit, len(hits))
	for i, h := range hits {
		a.Hits[i] = h.Hit
	}
	return a, err
}

// swept is what a search found, by segment.
type swept struct {
	sets     []*roaring.Bitmap // that the filters allow
	matching []*roaring.Bitmap // by any word, and the filters
	others   []*roaring.Bitmap // exact matches without any word
	tops     []*top            // the best by words, of each share of the segments
}

// sweep looks through the segments, in as many goroutines as they have shares.
func sweep(ctx context.Context, segments []store.Segment, q Query, bm25 *score.BM25, words []string, pool int) (swept, error) {
	shares := store.Balance(segments)
	r := swept{
		sets: make([]*roaring.Bitmap, len(segments)), matching: make([]*roaring.Bitmap, len(segments)),
		others: make([]*roaring.Bitmap, len(segments)), tops: make([]*top, len(shares)),
	}
	errs := make([]error, len(shares))
	var workers sync.WaitGroup
	for w, share := range shares {
		workers.Go(func() {
			errs[w] = store.Guard(func() error {
				r.tops[w] = &top{limit: pool, least: math.Inf(-1)}
				for _, i := range share {
					if ctx.Err() != nil {
						return context.Cause(ctx)
					}
					set, err := allowed(segments[i], q)
					if err != nil {
						return err
					}
					r.sets[i] = set
					if len(words) == 0 {
						r.matching[i], err = events(segments[i], set)
					} else {
						r.matching[i], r.others[i], err = match(bm25, i, segments[i], set, len(q.Exact) > 0)
					}
					if err == nil && len(words) > 0 && !q.Newest && !r.matching[i].IsEmpty() {
						err = r.tops[w].search(bm25, i, segments[i], set)
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
	workers.Wait()
	return r, errors.Join(errs...)
}

// compare orders hits, the best first.
func compare(a, b placed) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), b.At.Compare(a.At), strings.Compare(a.Session, b.Session), strings.Compare(b.Event, a.Event))
}

// events are the events among the documents of a segment that are allowed.
func events(seg store.Segment, allowed *roaring.Bitmap) (*roaring.Bitmap, error) {
	set, err := seg.Documents(version.FilterField, isEvent)
	if err == nil && allowed != nil {
		set.And(allowed)
	}
	return set, err
}

// match splits the documents of a segment that are allowed in those with any word of the
// question and, if they are wanted, the others.
func match(bm25 *score.BM25, i int, seg store.Segment, allowed *roaring.Bitmap, wantOthers bool) (matching, others *roaring.Bitmap, err error) {
	matching, err = bm25.Matching(i)
	if err != nil {
		return nil, nil, err
	}
	if allowed != nil {
		matching.And(allowed)
	}
	if wantOthers {
		if others, err = events(seg, allowed); err == nil {
			others.AndNot(matching)
		}
	}
	return matching, others, err
}

// top keeps the best hits of some segments.
type top struct {
	limit int
	least float64 // a score below which no further hit is among the best
	hits  []placed
}

func (t *top) search(bm25 *score.BM25, i int, seg store.Segment, allowed *roaring.Bitmap) (err error) {
	var failed error
	t.least, err = bm25.Best(i, allowed, t.limit, t.least, func(doc uint32, score float64) {
		h, err := hitOf(i, seg, doc)
		if err != nil {
			failed = err
		}
		h.Score = score
		t.hits = append(t.hits, h)
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	slices.SortFunc(t.hits, compare)
	if len(t.hits) >= t.limit {
		t.hits = t.hits[:t.limit]
		t.least = max(t.least, t.hits[t.limit-1].Score)
	}
	return nil
}

func hitOf(segment int, seg store.Segment, doc uint32) (placed, error) {
	name, err := seg.DocID(uint64(doc))
	if err != nil {
		return placed{}, err
	}
	h, err := decodeEvent(name)
	return placed{h, segment, doc}, err
}

// complete reads what is stored with hits, and looks up which of them are superseded.
func complete(segments []store.Segment, hits []placed) error {
	found := make([]string, len(hits))
	for i := range hits {
		h := &hits[i]
		found[i] = version.FilterTerm(byOld, h.Event)
		stored, err := segments[h.segment].Stored(h.number)
		if err != nil {
			return err
		}
		h.Stored = stored
	}
	lists, err := store.Lookup(segments, version.FilterField, found)
	for i := range lists {
		hits[i].Superseded = store.CountPostings(lists[i]) > 0
	}
	return err
}

// newest are the newest hits of some sets of documents, by segment; nil means no hits. Days
// are taken one by one from the last on, and so are the hours of each, so that few of
// the documents are read.
func newest(segments []store.Segment, sets []*roaring.Bitmap, limit int) ([]placed, error) {
	var hits []placed
	err := eachPeriod(segments, sets, byDay, minPeriod, maxPeriod, func(d int64) (bool, error) {
		err := eachPeriod(segments, sets, byHour, d*hours, (d+1)*hours, func(h int64) (bool, error) {
			for i, seg := range segments {
				if sets[i] == nil || sets[i].IsEmpty() {
					continue
				}
				set, err := seg.Documents(version.FilterField, periodTerm(byHour, h))
				if err != nil {
					return false, err
				}
				set.And(sets[i])
				for it := set.Iterator(); it.HasNext(); {
					hit, err := hitOf(i, seg, it.Next())
					if err != nil {
						return false, err
					}
					hits = append(hits, hit)
				}
			}
			return len(hits) < limit, nil
		})
		return len(hits) < limit, err
	})
	slices.SortFunc(hits, compare)
	return hits[:min(len(hits), limit)], err
}

// eachPeriod calls visit with the days or hours of the segments whose set is not empty,
// the last first, until it returns false.
func eachPeriod(segments []store.Segment, sets []*roaring.Bitmap, letter byte, first, end int64, visit func(int64) (bool, error)) error {
	var found []int64
	for i, seg := range segments {
		if sets[i] == nil || sets[i].IsEmpty() {
			continue
		}
		list, err := seg.Range(version.FilterField, periodTerm(letter, first), periodTerm(letter, end), math.MaxInt)
		if err != nil {
			return err
		}
		for _, term := range list {
			found = append(found, periodOf(term))
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	for _, p := range slices.Backward(found) {
		if more, err := visit(p); err != nil || !more {
			return err
		}
	}
	return nil
}
