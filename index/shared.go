package index

import (
	"context"

	"engram/facts"
)

// Shared reports whether a fact is meant for other repositories than its own: by
// its reach, and because it holds on every branch of the code and for good.
func Shared(f facts.Fact) bool {
	f = f.WithDefaults()
	return (f.Reach == facts.ReachOrg || f.Reach == facts.ReachGlobal) && f.Branch == "" && f.Durability != facts.Ephemeral
}

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
			docs := f.allowed
			if docs == nil {
				docs = seg.all()
			}
			for it := docs.Iterator(); it.HasNext(); {
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
