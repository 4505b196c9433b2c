package index

import "github.com/RoaringBitmap/roaring/v2"

// EveryBranch, as the Branch of a Query, finds the facts of every code branch, and
// none of them hides another.
const EveryBranch = "*"

// otherBranches are the documents of a segment that are bound to a code branch other than
// the one that a query asks on; nil where there are none.
func otherBranches(seg segment, branch string) (*roaring.Bitmap, error) {
	if branch == EveryBranch {
		return nil, nil
	}
	bound, err := seg.documents(filterField, isBound)
	if err != nil || bound.IsEmpty() {
		return nil, err
	}
	if branch != "" {
		mine, err := seg.documents(filterField, filterTerm(byBranch, branch))
		if err != nil {
			return nil, err
		}
		bound.AndNot(mine)
	}
	return bound, nil
}

// forbidOtherBranches leaves out what is bound to another branch, and what stands
// at a key at which something else holds on this one.
func (f *filter) forbidOtherBranches(q Query) error {
	hidden, err := otherBranches(f.seg, q.Branch)
	if err != nil {
		return err
	}
	if hidden != nil {
		f.remove(hidden)
	}
	for _, key := range q.shadowed {
		below, err := f.seg.documents(filterField, filterTerm(byKey, key))
		if err != nil {
			return err
		}
		shadowed := roaring.New()
		for it := below.Iterator(); it.HasNext(); {
			doc := it.Next()
			id, err := f.seg.id(doc)
			if err != nil {
				return err
			}
			if id.Key == key { // and not a sub-identifier
				shadowed.Add(doc)
			}
		}
		f.remove(shadowed)
	}
	return nil
}

// onBranch fills in which keys other facts stand for on the branch that q asks on,
// at the moment that it is about.
func (q Query) onBranch(segments []segment) (Query, error) {
	q.shadowed = nil
	if q.Branch == "" || q.Branch == EveryBranch {
		return q, nil
	}
	bound := Query{Branch: q.Branch, AsOf: q.AsOf, Now: q.Now, Past: q.Past, Ephemeral: q.Ephemeral}
	for _, seg := range segments {
		mine, err := seg.documents(filterField, filterTerm(byBranch, q.Branch))
		if err != nil {
			return q, err
		}
		if mine.IsEmpty() {
			continue
		}
		f, err := newFilter(seg, bound)
		if err != nil {
			return q, err
		}
		for it := mine.Iterator(); it.HasNext(); {
			id, holds, err := f.admit(it.Next())
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
