// Package rank answers questions from an open index: it lets every signal find
// candidates, fuses and scores them, explains their places, and counts.
package rank

import (
	"context"
	"fmt"
	"runtime/debug"

	"engram/index/internal/embedding"
	"engram/index/internal/query"
	"engram/index/internal/score"
	"engram/index/internal/store"
	"engram/index/internal/survey"
	"engram/internal/terms"
)

// View is the index, open for reading. It is valid until the function it was
// given to returns; several goroutines may use it.
type View struct {
	store    *store.Store
	stamp    store.Stamp
	vectors  *embedding.Loan
	concepts func(text string) []string
	scratch  *score.Scratch
	columns  *survey.Cache
	awaited  func() bool
}

// NewView returns a view of an open index. Its concepts name what a text is about;
// awaited is View.Awaited.
func NewView(s *store.Store, st store.Stamp, vectors *embedding.Loan, concepts func(text string) []string, scratch *score.Scratch, columns *survey.Cache, awaited func() bool) *View {
	return &View{s, st, vectors, concepts, scratch, columns, awaited}
}

// Revision is the revision that the index reflects.
func (v *View) Revision() string { return v.stamp.Revision }

// Awaited reports whether somebody waits for the end of this view to update the index.
func (v *View) Awaited() bool { return v.awaited() }

// Rarity is what a word adds to the score of Words that no other fact has, about: it grows
// with the index, so that scores of indexes of different sizes can be compared.
func (v *View) Rarity() float64 { return score.Rarity(v.store.Documents()) }

// Search returns the best hits for q by their words alone, best first, and how
// many there are in all. The order is by score, then the later beginning of the
// window, then the key, so that equal indexes give equal answers. A query that
// neither has a usable word nor filters finds nothing, unless it asks for All. An error means that ctx
// is done or the index is damaged; in the latter case View rebuilds it.
func (v *View) Search(ctx context.Context, q query.Query) (hits []query.Hit, total int, err error) {
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	terms := terms.OfQuestion(q.Text)
	if len(terms) == 0 && !q.Filters() && !q.All {
		return nil, 0, nil
	}
	q, err = q.OnBranch(v.store.Segments())
	if err != nil {
		return nil, 0, err
	}
	s, err := score.NewBM25(v.store.Segments(), terms, v.scratch)
	if err != nil {
		return nil, 0, err
	}
	top := &score.TopList{Limit: q.MaxHits(), Compare: score.Candidate.Compare}
	for i, seg := range v.store.Segments() {
		if err := ctx.Err(); err != nil {
			return nil, 0, context.Cause(ctx)
		}
		f, err := query.NewFilter(seg, q)
		if err != nil {
			return nil, 0, err
		}
		if len(terms) == 0 {
			f.Newest = v.columns.Newest(seg)
		}
		if err := s.Offer(i, f, top); err != nil {
			return nil, 0, err
		}
	}
	hits, err = top.Hits()
	return hits, top.Total, err
}

// Survey lists and counts what passes some filters.
func (v *View) Survey(ctx context.Context, q survey.Query) (r survey.Result, err error) {
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	return survey.Run(ctx, v.store.Segments(), v.columns, q)
}

// Activities counts what each agent wrote, by agent.
func (v *View) Activities(ctx context.Context, q query.Query) (list []survey.Activity, err error) {
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	return survey.Activities(ctx, v.store.Segments(), v.columns, q)
}

// guard ends a search, which defers it. Like store.Guard, it turns a panic of Bleve, and
// the fault of reading a truncated file, into an error. It remembers that the index is
// damaged if that is why the search failed. before is what debug.SetPanicOnFault was.
func (v *View) guard(ctx context.Context, before bool, err *error) {
	debug.SetPanicOnFault(before)
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: panic: %v", store.ErrDamaged, r)
	}
	if *err == nil {
		return
	}
	if ctx.Err() == nil {
		v.store.Damaged.Store(true)
	}
	*err = fmt.Errorf("search the index: %w", *err)
}
