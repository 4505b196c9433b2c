package rank

import (
	"context"
	"errors"
	"sync"

	"engram/index/internal/query"
	"engram/index/internal/score"
	"engram/index/internal/store"
	"engram/internal/terms"
)

// finder is a signal that looks for candidates segment by segment.
type finder struct {
	signal Signal
	score.Scorer
	compare func(a, b score.Candidate) int
}

// pools lets each signal look for candidates.
func (v *View) pools(ctx context.Context, q query.Query, r Ranking) (pools map[Signal]*score.TopList, passedOver []string, err error) {
	finders, passedOver, err := v.finders(q, r)
	if err != nil {
		return nil, nil, err
	}
	segments := v.store.Segments()
	filters := make([]*query.Filter, len(segments))
	tops, err := searchAll(ctx, q, r, finders, segments, filters)
	if err != nil {
		return nil, nil, err
	}
	pools = make(map[Signal]*score.TopList, len(finders)+1)
	for i, f := range finders {
		pools[f.signal] = tops[i]
	}
	if r.wants(Vectors) {
		pools[Vectors], err = v.nearest(q, r, filters)
	}
	return pools, passedOver, err
}

// searchAll lets finders go through all segments, which are shared out among as many
// goroutines as there are processors, and fills in their filters. What each finder has
// found comes in the order of finders.
func searchAll(ctx context.Context, q query.Query, r Ranking, finders []finder, segments []store.Segment, filters []*query.Filter) ([]*score.TopList, error) {
	shares := store.Balance(segments)
	found, errs := make([][]*score.TopList, len(shares)), make([]error, len(shares))
	var workers sync.WaitGroup
	for w, share := range shares {
		workers.Go(func() {
			errs[w] = store.Guard(func() (err error) {
				found[w], err = searchShare(ctx, q, r, finders, segments, share, filters)
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
			all.Merge(other[i])
		}
	}
	return found[0], nil
}

// searchShare lets fresh finders go through a share of the segments, and fills in the
// filters of these.
func searchShare(ctx context.Context, q query.Query, r Ranking, finders []finder, segments []store.Segment, share []int, filters []*query.Filter) ([]*score.TopList, error) {
	mine, tops := make([]score.Scorer, len(finders)), make([]*score.TopList, len(finders))
	for i, f := range finders {
		mine[i], tops[i] = f.Fresh(), &score.TopList{Limit: r.pool(f.signal), Compare: f.compare}
	}
	for _, s := range share {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		f, err := query.NewFilter(segments[s], q)
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

func (v *View) finders(q query.Query, r Ranking) (finders []finder, passedOver []string, err error) {
	text, segments := terms.Truncate(q.Text), v.store.Segments()
	if terms := terms.OfQuestion(text); r.wants(Words) && len(terms) > 0 {
		s, err := score.NewBM25(segments, terms, v.scratch)
		if err != nil {
			return nil, nil, err
		}
		finders = append(finders, finder{Words, s, score.Candidate.Compare})
	}
	if !r.wants(Keys) && !r.wants(Entities) {
		return finders, nil, nil
	}
	concepts := v.concepts(text)
	for _, signal := range []Signal{Keys, Entities} {
		if !r.wants(signal) {
			continue
		}
		mine := terms.ConceptKeys(concepts)
		if signal == Keys {
			mine = (&terms.Analyzer{}).QuestionKeys(text, concepts)
		}
		s, err := score.NewKeys(segments, mine, v.scratch)
		if err != nil {
			return nil, nil, err
		}
		passedOver = s.PassedOver
		finders = append(finders, finder{signal, s, byHashKeys(q)})
	}
	return finders, passedOver, nil
}
