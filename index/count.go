package index

import (
	"context"
	"time"
)

// Count is how many versions pass the filters of a query, whatever its text and
// limit. Not for questions about what was known at another revision.
func (v *View) Count(ctx context.Context, q Query) (n int, err error) {
	err = v.guard(ctx, func() error {
		n = 0
		for _, seg := range v.store.segments() {
			f, err := newFilter(seg, q)
			if err != nil {
				return err
			}
			for it := f.documents().Iterator(); it.HasNext(); {
				holds, err := f.holds(it.Next())
				if err != nil {
					return err
				}
				if holds {
					n++
				}
			}
		}
		return nil
	})
	return n, err
}

// Stand is a version that stands on the tip, whether or not it holds.
type Stand struct {
	Hit
	Committed time.Time
}

// Since returns the versions on the tip that pass the filters of a query, whether or
// not they hold, and that were committed after a moment or ended between it and the
// query's Now, in no order. The text and limit of q take no part.
func (v *View) Since(ctx context.Context, q Query, after time.Time) (list []Stand, err error) {
	err = v.guard(ctx, func() error {
		list = nil
		return v.eachSince(ctx, q, after, func(seg segment, doc uint32) error {
			id, err := seg.id(doc)
			if err != nil {
				return err
			}
			h, err := hitOf(id, 0)
			list = append(list, Stand{h, id.Committed})
			return err
		})
	})
	return list, err
}

// CountSince is how many versions Since returns.
func (v *View) CountSince(ctx context.Context, q Query, after time.Time) (n int, err error) {
	err = v.guard(ctx, func() error {
		n = 0
		return v.eachSince(ctx, q, after, func(segment, uint32) error { n++; return nil })
	})
	return n, err
}

func (v *View) eachSince(ctx context.Context, q Query, after time.Time, use func(seg segment, doc uint32) error) error {
	for _, seg := range v.store.segments() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		f, err := newFilter(seg, q)
		if err != nil {
			return err
		}
		for it := f.documents().Iterator(); it.HasNext(); {
			doc := it.Next()
			g, err := seg.glimpse(doc)
			if err != nil {
				return err
			}
			until := g.window.Until
			if !g.committed.After(after) && (!until.After(after) || until.After(q.Now)) {
				continue
			}
			if err := use(seg, doc); err != nil {
				return err
			}
		}
	}
	return nil
}
