package index

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
)

// alone is up to how many documents one goroutine looks through by itself;
// starting a second one would take as long.
const alone = 5000

// finder is a signal that looks for candidates segment by segment.
type finder struct {
	signal Signal
	Scorer
	compare func(a, b candidate) int
}

// pools lets each signal look for candidates.
func (v *View) pools(ctx context.Context, q Query, r Ranking) (pools map[Signal]*topList, passedOver []string, err error) {
	finders, passedOver, err := v.finders(q, r)
	if err != nil {
		return nil, nil, err
	}
	segments := v.store.segments()
	filters := make([]*filter, len(segments))
	tops, err := lookAll(ctx, q, r, finders, segments, filters)
	if err != nil {
		return nil, nil, err
	}
	pools = make(map[Signal]*topList, len(finders)+1)
	for i, f := range finders {
		pools[f.signal] = tops[i]
	}
	if r.wants(Vectors) {
		pools[Vectors], err = v.nearest(q, r, filters)
	}
	return pools, passedOver, err
}

// lookAll lets finders go through all segments, which are shared out among as many
// goroutines as there are processors, and fills in their filters. What each finder has
// found comes in the order of finders.
func lookAll(ctx context.Context, q Query, r Ranking, finders []finder, segments []segment, filters []*filter) ([]*topList, error) {
	shares := shareOut(segments)
	found, errs := make([][]*topList, len(shares)), make([]error, len(shares))
	var workers sync.WaitGroup
	for w, share := range shares {
		workers.Go(func() {
			errs[w] = guard(func() (err error) {
				found[w], err = look(ctx, q, r, finders, segments, share, filters)
				return err
			})
		})
	}
	workers.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for i, all := range found[0] {
		for _, other := range found[1:] {
			all.merge(other[i])
		}
	}
	return found[0], nil
}

// look lets fresh finders go through a share of the segments, and fills in the
// filters of these.
func look(ctx context.Context, q Query, r Ranking, finders []finder, segments []segment, share []int, filters []*filter) ([]*topList, error) {
	mine, tops := make([]Scorer, len(finders)), make([]*topList, len(finders))
	for i, f := range finders {
		mine[i], tops[i] = f.Fresh(), &topList{limit: r.pool(f.signal), compare: f.compare}
	}
	for _, s := range share {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		f, err := newFilter(segments[s], q)
		if err != nil {
			return nil, err
		}
		filters[s] = f
		for i := range mine {
			if err := mine[i].Offer(s, f, tops[i]); err != nil {
				return nil, err
			}
		}
	}
	return tops, nil
}

// shareOut deals segments out so that each share has about as many documents:
// the largest first, each to who has least.
func shareOut(segments []segment) [][]int {
	n := min(runtime.GOMAXPROCS(0), len(segments))
	if n < 2 || liveDocuments(segments) <= alone {
		n = 1
	}
	order := make([]int, len(segments))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return segments[b].size() - segments[a].size() })
	shares, load := make([][]int, n), make([]int, n)
	for _, s := range order {
		least := 0
		for w := range load {
			if load[w] < load[least] {
				least = w
			}
		}
		shares[least] = append(shares[least], s)
		load[least] += segments[s].size()
	}
	return shares
}

func (v *View) finders(q Query, r Ranking) (finders []finder, passedOver []string, err error) {
	text, segments := bounded(q.Text), v.store.segments()
	if terms := questionTerms(text); r.wants(Words) && len(terms) > 0 {
		s, err := newScorer(segments, terms)
		if err != nil {
			return nil, nil, err
		}
		finders = append(finders, finder{Words, s, candidate.compare})
	}
	keys := (&analyzer{}).questionKeys(text, v.concepts(text))
	for _, signal := range []Signal{Keys, Entities} {
		if !r.wants(signal) {
			continue
		}
		mine := slices.DeleteFunc(slices.Clone(keys), func(k hashKey) bool { return signal == Entities && k.kind != keyConcept })
		s, err := newKeyScorer(segments, mine)
		if err != nil {
			return nil, nil, err
		}
		passedOver = s.passedOver
		finders = append(finders, finder{signal, s, byHashKeys(q)})
	}
	return finders, passedOver, nil
}
