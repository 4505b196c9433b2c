package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"engram/index/internal/store"
	"engram/index/internal/version"
)

// EveryBranch, as the Branch of a Query, finds the facts of every code branch, and
// none of them hides another.
const EveryBranch = "*"

// OtherBranches are the documents of a segment that are bound to a code branch other than
// the one of the query; nil if there are none.
func OtherBranches(seg store.Segment, branch string) (*roaring.Bitmap, error) {
	if branch == EveryBranch {
		return nil, nil
	}
	bound, err := seg.Documents(version.FilterField, version.IsBound)
	if err != nil || bound.IsEmpty() {
		return nil, err
	}
	if branch != "" {
		mine, err := seg.Documents(version.FilterField, version.FilterTerm(version.ByBranch, branch))
		if err != nil {
			return nil, err
		}
		bound.AndNot(mine)
	}
	return bound, nil
}

// excludeOtherBranches excludes what is bound to another branch, and what stands at a key
// that a fact of this branch replaces.
func (f *Filter) excludeOtherBranches(q Query) error {
	hidden, err := OtherBranches(f.Seg, q.Branch)
	if err != nil {
		return err
	}
	if hidden != nil {
		f.remove(hidden)
	}
	for _, key := range q.shadowed {
		below, err := f.Seg.Documents(version.FilterField, version.FilterTerm(version.ByKey, key))
		if err != nil {
			return err
		}
		shadowed := roaring.New()
		for it := below.Iterator(); it.HasNext(); {
			doc := it.Next()
			id, err := f.Seg.ID(doc)
			if err != nil {
				return err
			}
			if id.Key == key { // not a key below it
				shadowed.Add(doc)
			}
		}
		f.remove(shadowed)
	}
	return nil
}

// OnBranch fills in the keys that facts bound to the query's code branch replace at the
// query's moment.
func (q Query) OnBranch(segments []store.Segment) (Query, error) {
	q.shadowed = nil
	if q.Branch == "" || q.Branch == EveryBranch {
		return q, nil
	}
	bound := Query{Branch: q.Branch, AsOf: q.AsOf, Now: q.Now, Past: q.Past, Ephemeral: q.Ephemeral}
	for _, seg := range segments {
		mine, err := seg.Documents(version.FilterField, version.FilterTerm(version.ByBranch, q.Branch))
		if err != nil {
			return q, err
		}
		if mine.IsEmpty() {
			continue
		}
		f, err := NewFilter(seg, bound)
		if err != nil {
			return q, err
		}
		for it := mine.Iterator(); it.HasNext(); {
			id, holds, err := f.Admit(it.Next())
			if err != nil {
				return q, err
			}
			if holds && id.For != "" && id.For != id.Key {
				q.shadowed = append(q.shadowed, id.For)
			}
		}
	}
	return q, nil
}
