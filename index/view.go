package index

import (
	"context"
	"fmt"
)

// View is the index, open for reading. It is valid until the function it was
// given to returns; several goroutines may use it.
type View struct {
	store    *store
	stamp    stamp
	vectors  *loan
	concepts func(text string) []string
}

// newView returns a view of an open index. Its concepts name what a text is about.
func newView(s *store, st stamp, vectors *loan, concepts func(text string) []string) *View {
	return &View{s, st, vectors, concepts}
}

// Revision is the revision that the index reflects.
func (v *View) Revision() string { return v.stamp.Revision }

// Search returns the best hits for q by their words alone, best first, and how
// many there are in all. The order is by score, then the later beginning of the
// window, then the key, so that equal indexes give equal answers. A query that
// neither has a usable word nor filters finds nothing, unless it asks for All. An error means that ctx
// is done or the index is damaged; in the latter case View builds it anew.
func (v *View) Search(ctx context.Context, q Query) (hits []Hit, total int, err error) {
	err = v.guard(ctx, func() (err error) {
		hits, total, err = v.search(ctx, q)
		return err
	})
	return hits, total, err
}

// guard runs a search and remembers that the index is damaged if that is why
// it failed.
func (v *View) guard(ctx context.Context, search func() error) error {
	err := guard(search)
	if err != nil && ctx.Err() == nil {
		v.store.damaged.Store(true)
	}
	if err != nil {
		return fmt.Errorf("search the index: %w", err)
	}
	return nil
}

func (v *View) search(ctx context.Context, q Query) ([]Hit, int, error) {
	terms := questionTerms(q.Text)
	if len(terms) == 0 && len(q.filters()) == 0 && len(q.Pointing) == 0 && !q.All {
		return nil, 0, nil
	}
	q, err := q.onBranch(v.store.segments())
	if err != nil {
		return nil, 0, err
	}
	s, err := newScorer(v.store.segments(), terms)
	if err != nil {
		return nil, 0, err
	}
	top := &topList{limit: q.limit(), compare: candidate.compare}
	for i, seg := range v.store.segments() {
		if err := ctx.Err(); err != nil {
			return nil, 0, context.Cause(ctx)
		}
		f, err := newFilter(seg, q)
		if err != nil {
			return nil, 0, err
		}
		if err := s.Offer(i, f, top); err != nil {
			return nil, 0, err
		}
	}
	hits, err := top.hits()
	return hits, top.total, err
}
