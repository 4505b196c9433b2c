package rank

import (
	"context"
	"runtime/debug"
	"time"

	"engram/index/internal/query"
	"engram/index/internal/store"
)

// Count is how many versions pass the filters of a query, whatever its text and
// limit. Not for questions about what was known at another revision.
func (v *View) Count(ctx context.Context, q query.Query) (n int, err error) {
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	for _, seg := range v.store.Segments() {
		f, err := query.NewFilter(seg, q)
		if err != nil {
			return n, err
		}
		for it := f.Documents().Iterator(); it.HasNext(); {
			holds, err := f.Holds(it.Next())
			if err != nil {
				return n, err
			}
			if holds {
				n++
			}
		}
	}
	return n, nil
}

// Stand is a version that stands on the tip, whether or not it holds.
type Stand struct {
	query.Hit
	Committed time.Time
}

// Since returns the versions on the tip that pass the filters of a query, whether or
// not they hold, and that were committed after a moment or ended between it and the
// query's Now, in no order. The text and limit of q take no part.
func (v *View) Since(ctx context.Context, q query.Query, after time.Time) (list []Stand, err error) {
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	err = v.eachSince(ctx, q, after, func(seg store.Segment, doc uint32) error {
		id, err := seg.ID(doc)
		if err != nil {
			return err
		}
		h, err := query.NewHit(id, 0)
		list = append(list, Stand{h, id.Committed})
		return err
	})
	return list, err
}

// CountSince is how many versions Since returns.
func (v *View) CountSince(ctx context.Context, q query.Query, after time.Time) (n int, err error) {
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	err = v.eachSince(ctx, q, after, func(store.Segment, uint32) error { n++; return nil })
	return n, err
}

func (v *View) eachSince(ctx context.Context, q query.Query, after time.Time, use func(seg store.Segment, doc uint32) error) error {
	for _, seg := range v.store.Segments() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		f, err := query.NewFilter(seg, q)
		if err != nil {
			return err
		}
		for it := f.Documents().Iterator(); it.HasNext(); {
			doc := it.Next()
			g, err := seg.Summary(doc)
			if err != nil {
				return err
			}
			until := g.Window.Until
			if !g.Committed.After(after) && (!until.After(after) || until.After(q.Now)) {
				continue
			}
			if err := use(seg, doc); err != nil {
				return err
			}
		}
	}
	return nil
}
