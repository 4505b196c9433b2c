package index

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"engram/facts"
)

// Shared reports whether a fact is meant for other repositories than its own: by
// its reach, and because it holds on every branch of the code and for good.
func Shared(f facts.Fact) bool {
	f = f.WithDefaults()
	return (f.Reach == facts.ReachOrg || f.Reach == facts.ReachGlobal) && f.Branch == "" && f.Durability != facts.Ephemeral
}

// within demands one of several scopes, or a scope below one; none is every scope.
func (f *filter) within(scopes []string) error {
	if len(scopes) == 0 {
		return nil
	}
	any := roaring.New()
	for _, scope := range scopes {
		set, err := f.seg.documents(filterField, filterTerm(byScope, scope))
		if err != nil {
			return err
		}
		any.Or(set)
	}
	if f.allowed != nil {
		any.And(f.allowed)
	}
	f.allowed = any
	return nil
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
