package query

import (
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"engram/index/internal/store"
	"engram/index/internal/version"
)

// Filter decides which documents of a segment a query is about.
type Filter struct {
	Seg         store.Segment
	Allowed     *roaring.Bitmap // nil: every document that is not deleted
	timeLimited store.DenseSet  // whose window must be checked; nil: all
	Present     bool            // hits must hold now, not at another moment
	Moment      time.Time       // when a hit must hold
	Known       Past            // nil: everything in the index is known
	Newest      []uint32        // the documents of the segment, those that began latest first; nil if that is not known
}

// NewFilter returns the filter of a query for the documents of a segment.
func NewFilter(seg store.Segment, q Query) (*Filter, error) {
	f := &Filter{Seg: seg, Present: q.AsOf.IsZero(), Moment: q.Moment(), Known: q.Past}
	required, excluded := q.terms()
	for _, t := range required {
		if err := f.require(t); err != nil {
			return nil, err
		}
		if f.Allowed.IsEmpty() { // an import looks up thousands of claims that nobody has made yet
			return f, nil
		}
	}
	if err := f.requireAny(version.ByScope, q.Within); err != nil {
		return nil, err
	}
	if err := f.requireAny(version.ByPointer, q.Pointing); err != nil {
		return nil, err
	}
	for _, t := range excluded {
		if err := f.exclude(t); err != nil {
			return nil, err
		}
	}
	if len(q.Access) > 0 {
		if err := f.applyAccess(q.Access); err != nil {
			return nil, err
		}
	}
	if err := f.excludeOtherBranches(q); err != nil {
		return nil, err
	}
	if f.Present && f.Known == nil {
		set, err := seg.Documents(version.FilterField, version.IsTimeLimited)
		if err != nil {
			return nil, err
		}
		f.timeLimited = store.Dense(set)
	}
	return f, nil
}

// NewPresentFilter returns a filter that asks only whether a document holds now.
func NewPresentFilter(seg store.Segment, q Query) *Filter {
	return &Filter{Seg: seg, Present: true, Moment: q.Now, Known: q.Past}
}

func (f *Filter) require(t term) error {
	set, err := f.Seg.Documents(t.field, t.text)
	if err != nil {
		return err
	}
	f.allow(set)
	return nil
}

// allow excludes the documents that are not in a set, which it may change.
func (f *Filter) allow(set *roaring.Bitmap) {
	if f.Allowed != nil {
		set.And(f.Allowed)
	}
	f.Allowed = set
}

// Documents are those of the segment that the filter allows.
func (f *Filter) Documents() *roaring.Bitmap {
	if f.Allowed == nil {
		return f.Seg.All()
	}
	return f.Allowed
}

// requireAny allows only documents that have at least one of the values; no values allow
// all.
func (f *Filter) requireAny(kind string, values []string) error {
	if len(values) == 0 {
		return nil
	}
	any := roaring.New()
	for _, value := range values {
		set, err := f.Seg.Documents(version.FilterField, version.FilterTerm(kind, value))
		if err != nil {
			return err
		}
		any.Or(set)
	}
	f.allow(any)
	return nil
}

func (f *Filter) exclude(t term) error {
	set, err := f.Seg.Documents(t.field, t.text)
	if err != nil {
		return err
	}
	f.remove(set)
	return nil
}

func (f *Filter) remove(set *roaring.Bitmap) {
	if set.IsEmpty() {
		return
	}
	if f.Allowed == nil {
		f.Allowed = f.Seg.All()
	}
	f.Allowed.AndNot(set)
}

// AlwaysHolds reports whether an allowed document is known to hold without reading it.
func (f *Filter) AlwaysHolds(doc uint32) bool {
	return f.Present && f.Known == nil && !f.timeLimited.Has(doc)
}

// Holds reports whether an allowed document holds, reading as little as possible. It does
// not support questions about what was known at another revision.
func (f *Filter) Holds(doc uint32) (bool, error) {
	if f.AlwaysHolds(doc) {
		return true, nil
	}
	g, err := f.Seg.Summary(doc)
	return err == nil && g.Holds(f.Moment, f.Present), err
}

// Load reads an allowed document, and reports whether it holds.
func (f *Filter) Load(doc uint32) (version.ID, bool, error) {
	id, err := f.Seg.ID(doc)
	if err != nil || f.AlwaysHolds(doc) {
		return id, err == nil, err
	}
	if f.Known != nil {
		stood, known, err := f.Known(id.Key, id.Blob)
		if err != nil || !known {
			return id, false, err
		}
		if stood != nil {
			id.Window, id.Tip = stood.Window, stood.Tip
		}
		if f.Present && !id.Tip {
			return id, false, nil
		}
	}
	return id, id.Holds(f.Moment, f.Present), nil
}

// Admit is Load for any document: one that is not allowed does not hold.
func (f *Filter) Admit(doc uint32) (version.ID, bool, error) {
	if f.Allowed != nil && !f.Allowed.Contains(doc) {
		return version.ID{}, false, nil
	}
	return f.Load(doc)
}
