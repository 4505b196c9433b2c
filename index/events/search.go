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
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"engram/index/internal/embedding"
	"engram/index/internal/score"
	"engram/index/internal/store"
	"engram/index/internal/version"
	"engram/internal/terms"
)

const defaultLimit = 10

// search answers a query from an open index and a tail, which may be nil.
func (x *Index) search(ctx context.Context, s *store.Store, tail *Tail, loan *embedding.Loan, last *lookup, q Query) (a Answer, err error) {
	words := terms.OfQuestion(q.Text)
	if strings.TrimSpace(q.Text) != "" && len(words) == 0 && len(q.Exact) == 0 {
		return Answer{Hits: []Hit{}}, nil // it has no word that anything could be found by
	}
	near := x.question(ctx, s.Segments(), loan, q, words)
	err = store.Guard(func() (err error) {
		a, err = x.answer(ctx, slices.Concat(s.Segments(), tail.segments()), q, words, near, last)
		return err
	})
	a.Compared, a.Pending = near.vector != nil, near.pending
	if err != nil && ctx.Err() == nil {
		s.Damaged.Store(true)
		err = fmt.Errorf("search the index: %w", err)
	}
	return a, err
}

func (x *Index) answer(ctx context.Context, segments []store.Segment, q Query, words []string, near question, last *lookup) (Answer, error) {
	bm25, err := last.find(segments, words, &x.scratch)
	if err != nil {
		return Answer{}, err
	}
	end := max(0, q.Offset) + cmp.Or(max(0, q.Limit), defaultLimit)
	pool := end
	if near.vector != nil {
		pool = max(pool, poolSize)
	}
	found, err := sweep(ctx, segments, q, bm25, words, pool)
	if err != nil || found.tooMany {
		return Answer{Hits: []Hit{}}, err
	}
	matching, others := found.matching, found.others
	var a Answer
	hits, err := found.best(segments, pool)
	if err != nil {
		return Answer{}, err
	}
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
		if q.Uncounted && len(q.Exact) > 0 {
			if others, err = found.without(segments, hits); err != nil {
				return Answer{}, err
			}
		}
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
	tooMany  bool              // more pass the filters than the query is about
}

// best are the best of all segments by words, in order. Only their names are read.
func (r swept) best(segments []store.Segment, limit int) ([]placed, error) {
	all := top{limit: limit}
	for _, t := range r.tops {
		all.hits = append(all.hits, t.hits...)
	}
	all.cut()
	for i, h := range all.hits {
		var err error
		if all.hits[i], err = hitOf(h.segment, segments[h.segment], h.number); err != nil {
			return nil, err
		}
		all.hits[i].Score = h.Score
	}
	slices.SortFunc(all.hits, compare)
	return all.hits, nil
}

// without are the events that pass the filters and are not among the hits.
func (r swept) without(segments []store.Segment, hits []placed) ([]*roaring.Bitmap, error) {
	others := make([]*roaring.Bitmap, len(segments))
	for i, set := range r.sets {
		if set == nil || !set.IsEmpty() {
			var err error
			if others[i], err = events(segments[i], set); err != nil {
				return nil, err
			}
		}
	}
	for _, h := range hits {
		others[h.segment].Remove(h.number)
	}
	return others, nil
}

// size is how many documents of a segment are allowed.
func size(seg store.Segment, allowed *roaring.Bitmap) int {
	if allowed == nil {
		return seg.Live()
	}
	return int(allowed.GetCardinality())
}

// sweep looks through the segments, in as many goroutines as they have shares.
func sweep(ctx context.Context, segments []store.Segment, q Query, bm25 *score.BM25, words []string, pool int) (swept, error) {
	shares := store.Balance(segments)
	r := swept{
		sets: make([]*roaring.Bitmap, len(segments)), matching: make([]*roaring.Bitmap, len(segments)),
		others: make([]*roaring.Bitmap, len(segments)), tops: make([]*top, len(shares)),
	}
	var passed atomic.Int64
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
					if q.AtMost > 0 && passed.Add(int64(size(segments[i], set))) > int64(q.AtMost) {
						return nil
					}
					if set != nil && set.IsEmpty() {
						r.matching[i] = set
						continue
					}
					ranked := len(words) > 0 && !q.Newest
					switch {
					case len(words) == 0:
						r.matching[i], err = events(segments[i], set)
					case ranked && q.Uncounted:
						r.matching[i] = roaring.New()
					default:
						r.matching[i], r.others[i], err = match(bm25, i, segments[i], set, len(q.Exact) > 0)
						ranked = ranked && !r.matching[i].IsEmpty()
					}
					if err == nil && ranked {
						err = r.tops[w].search(bm25, i, set)
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
	r.tooMany = q.AtMost > 0 && passed.Load() > int64(q.AtMost)
	return r, errors.Join(errs...)
}

// lookup is what was looked up last in an open index: of many searches in a row, most have the same
// words. It is for one goroutine.
type lookup struct {
	words []string
	bm25  *score.BM25
}

func (l *lookup) find(segments []store.Segment, words []string, scratch *score.Scratch) (*score.BM25, error) {
	if l.bm25 != nil && slices.Equal(l.words, words) {
		return l.bm25, nil
	}
	bm25, err := score.NewBM25(segments, words, scratch)
	if err != nil {
		return nil, err
	}
	bm25.RarestFirst()
	l.words, l.bm25 = words, bm25
	return bm25, nil
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

// top keeps the best hits of some segments, without their names: to read a name takes longer than
// to score an event.
type top struct {
	limit int
	least float64 // a score below which no further hit is among the best
	hits  []placed
}

func (t *top) search(bm25 *score.BM25, i int, allowed *roaring.Bitmap) (err error) {
	t.least, err = bm25.Best(i, allowed, t.limit, t.least, func(doc uint32, score float64) {
		t.hits = append(t.hits, placed{Hit{Score: score}, i, doc})
	})
	if t.cut(); len(t.hits) >= t.limit {
		t.least = max(t.least, t.hits[t.limit-1].Score)
	}
	return err
}

// cut leaves as many hits as there may be, and those with the same score as the last of them.
func (t *top) cut() {
	slices.SortFunc(t.hits, func(a, b placed) int { return cmp.Compare(b.Score, a.Score) })
	for n := t.limit; n < len(t.hits); n++ {
		if t.hits[n].Score < t.hits[t.limit-1].Score {
			t.hits = t.hits[:n]
		}
	}
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
