package index

import (
	"time"

	"github.com/RoaringBitmap/roaring/v2"
)

// filter decides which documents of a segment a query is about.
type filter struct {
	seg       segment
	allowed   *roaring.Bitmap // nil: every document that is not deleted
	unsettled denseSet        // whose window has to be looked at; nil: all
	present   bool            // hits have to hold now, not at some other moment
	moment    time.Time       // when a hit has to hold
	known     Past            // nil: everything in the index is known
}

func newFilter(seg segment, q Query) (*filter, error) {
	f := &filter{seg: seg, moment: q.AsOf, known: q.Past}
	terms := q.filters()
	if q.AsOf.IsZero() {
		f.present, f.moment = true, q.Now
		if f.known == nil {
			terms = append(terms, onTip)
		}
	}
	for _, term := range terms {
		if err := f.demand(filterField, term); err != nil {
			return nil, err
		}
	}
	if err := f.demandAny(byScope, q.Within); err != nil {
		return nil, err
	}
	if err := f.demandAny(byPointer, q.Pointing); err != nil {
		return nil, err
	}
	for _, text := range q.Must {
		for _, term := range distinctTerms(text) {
			if err := f.demand(textField, term); err != nil {
				return nil, err
			}
		}
	}
	for _, text := range q.MustNot {
		for _, term := range distinctTerms(text) {
			if err := f.forbid(textField, term); err != nil {
				return nil, err
			}
		}
	}
	for _, prefix := range q.Without {
		if err := f.forbid(filterField, filterTerm(byKey, prefix)); err != nil {
			return nil, err
		}
	}
	if !q.Ephemeral {
		if err := f.forbid(filterField, isEphemeral); err != nil {
			return nil, err
		}
	}
	if len(q.Access) > 0 {
		if err := f.restrict(q.Access); err != nil {
			return nil, err
		}
	}
	if err := f.forbidOtherBranches(q); err != nil {
		return nil, err
	}
	if f.present && f.known == nil {
		set, err := seg.documents(filterField, isUnsettled)
		if err != nil {
			return nil, err
		}
		f.unsettled = dense(set)
	}
	return f, nil
}

// newPresentFilter returns a filter that asks only whether a document holds now.
func newPresentFilter(seg segment, q Query) *filter {
	return &filter{seg: seg, present: true, moment: q.Now, known: q.Past}
}

func (f *filter) demand(field, term string) error {
	set, err := f.seg.documents(field, term)
	if err != nil {
		return err
	}
	if f.allowed == nil {
		f.allowed = set
	} else {
		f.allowed.And(set)
	}
	return nil
}

// documents are those of the segment that the filter allows.
func (f *filter) documents() *roaring.Bitmap {
	if f.allowed == nil {
		return f.seg.all()
	}
	return f.allowed
}

// demandAny is demand for documents that have at least one of the values, if there
// are any.
func (f *filter) demandAny(kind string, values []string) error {
	if len(values) == 0 {
		return nil
	}
	any := roaring.New()
	for _, value := range values {
		set, err := f.seg.documents(filterField, filterTerm(kind, value))
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

func (f *filter) forbid(field, term string) error {
	set, err := f.seg.documents(field, term)
	if err != nil {
		return err
	}
	f.remove(set)
	return nil
}

func (f *filter) remove(set *roaring.Bitmap) {
	if set.IsEmpty() {
		return
	}
	if f.allowed == nil {
		f.allowed = f.seg.all()
	}
	f.allowed.AndNot(set)
}

// settled reports whether an allowed document holds, without loading it.
func (f *filter) settled(doc uint32) bool {
	return f.present && f.known == nil && !f.unsettled.has(doc)
}

// holds reports whether an allowed document holds, without loading it. Not for
// questions about what was known at another revision.
func (f *filter) holds(doc uint32) (bool, error) {
	if f.settled(doc) {
		return true, nil
	}
	g, err := f.seg.glimpse(doc)
	return err == nil && g.holds(f.moment, f.present), err
}

// load returns what is known of an allowed document and whether it holds.
func (f *filter) load(doc uint32) (docID, bool, error) {
	id, err := f.seg.id(doc)
	if err != nil || f.settled(doc) {
		return id, err == nil, err
	}
	if f.known != nil {
		stood, known, err := f.known(id.Key, id.Blob)
		if err != nil || !known {
			return id, false, err
		}
		if stood != nil {
			id.Window, id.Tip = stood.Window, stood.Tip
		}
		if f.present && !id.Tip {
			return id, false, nil
		}
	}
	return id, id.holds(f.moment, f.present), nil
}

// admit is load for a document that may be out of bounds.
func (f *filter) admit(doc uint32) (docID, bool, error) {
	if f.allowed != nil && !f.allowed.Contains(doc) {
		return docID{}, false, nil
	}
	return f.load(doc)
}
