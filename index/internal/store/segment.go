package store

import (
	"bytes"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"

	"engram/index/internal/version"
)

// Segment is a segment of the index as it was when it was opened.
type Segment struct {
	*scorch.SegmentSnapshot
}

// Size is the number of documents, deleted ones included.
func (s Segment) Size() int { return int(s.FullSize()) }

// Live is the number of documents without the deleted ones.
func (s Segment) Live() int { return int(s.Count()) }

// All returns the documents without the deleted ones. The caller may change the set.
func (s Segment) All() *roaring.Bitmap { return s.DocNumbersLive() }

// Postings looks up a term of a field.
func (s Segment) Postings(field, term string) (segmentapi.PostingsList, error) {
	dictionary, err := s.Segment().Dictionary(field)
	if err != nil {
		return nil, err
	}
	return dictionary.PostingsList([]byte(term), s.Deleted(), nil)
}

// Lookup looks up terms of a field in every segment. Opening a dictionary costs as much as
// a lookup, so each is opened once.
func Lookup(segments []Segment, field string, terms []string) (byTerm [][]segmentapi.PostingsList, err error) {
	byTerm = make([][]segmentapi.PostingsList, len(terms))
	for _, seg := range segments {
		dictionary, err := seg.Segment().Dictionary(field)
		if err != nil {
			return nil, err
		}
		for i, term := range terms {
			postings, err := dictionary.PostingsList([]byte(term), seg.Deleted(), nil)
			if err != nil {
				return nil, err
			}
			byTerm[i] = append(byTerm[i], postings)
		}
	}
	return byTerm, nil
}

// Range returns the terms of a field from first to before end, in order, up to a limit.
func (s Segment) Range(field, first, end string, limit int) (terms []string, err error) {
	dictionary, err := s.Segment().Dictionary(field)
	if err != nil {
		return nil, err
	}
	iterator := dictionary.AutomatonIterator(nil, []byte(first), []byte(end))
	for len(terms) < limit {
		entry, err := iterator.Next()
		if err != nil || entry == nil {
			return terms, err
		}
		terms = append(terms, entry.Term)
	}
	return terms, nil
}

// Union returns the live documents with any of the terms of a field from first to before
// end, of which those after a limit are passed over. The caller may change the set.
func (s Segment) Union(field, first, end string, limit int) (*roaring.Bitmap, error) {
	found, err := s.Range(field, first, end, limit)
	if err != nil {
		return nil, err
	}
	lists, err := Lookup([]Segment{s}, field, found)
	if err != nil {
		return nil, err
	}
	union := roaring.New()
	for _, list := range lists {
		set, err := Numbers(s, list[0])
		if err != nil {
			return nil, err
		}
		union.Or(set)
	}
	return union, nil
}

// CountPostings is the sum of the lengths of some lists.
func CountPostings(postings []segmentapi.PostingsList) (n int) {
	for _, p := range postings {
		n += int(p.Count())
	}
	return n
}

// Documents returns the live documents that have a term in a field. The caller may change
// the set.
func (s Segment) Documents(field, term string) (*roaring.Bitmap, error) {
	postings, err := s.Postings(field, term)
	if err != nil {
		return nil, err
	}
	return Numbers(s, postings)
}

// Numbers are the live documents of a segment in a list of postings. The caller may
// change the set.
func Numbers(s Segment, postings segmentapi.PostingsList) (*roaring.Bitmap, error) {
	set := roaring.New()
	if direct, ok := postings.(interface{ OrInto(*roaring.Bitmap) }); ok {
		direct.OrInto(set) // it includes deleted documents
		if deleted := s.Deleted(); deleted != nil {
			set.AndNot(deleted)
		}
		return set, nil
	}
	iterator := postings.Iterator(false, false, false, nil)
	for {
		p, err := iterator.Next()
		if err != nil {
			return nil, err
		}
		if p == nil {
			return set, nil
		}
		set.Add(uint32(p.Number()))
	}
}

// ID reads what the index knows about a document.
func (s Segment) ID(doc uint32) (version.ID, error) {
	name, err := s.DocID(uint64(doc))
	if err != nil {
		return version.ID{}, err
	}
	if name == nil {
		return version.ID{}, fmt.Errorf("document %d is missing", doc)
	}
	return version.DecodeID(string(name))
}

// Stored returns what is stored with a document; nil if nothing is.
func (s Segment) Stored(doc uint32) (stored []byte, err error) {
	err = s.VisitDocument(uint64(doc), func(field string, _ byte, value []byte, _ []uint64) bool {
		if field == version.StoredField {
			stored = bytes.Clone(value)
		}
		return stored == nil
	})
	return stored, err
}

// Summary reads the most frequently needed part of a document's ID, several times as fast
// as ID.
func (s Segment) Summary(doc uint32) (version.Summary, error) {
	name, err := s.DocID(uint64(doc))
	if err != nil {
		return version.Summary{}, err
	}
	return version.Summarize(name)
}

// DenseSet is a set of documents with a fast membership test; nil contains all.
type DenseSet []uint64

// Dense copies a set; nil stays nil.
func Dense(set *roaring.Bitmap) DenseSet {
	if set == nil {
		return nil
	}
	return append(DenseSet{}, set.ToDense()...)
}

// Has reports whether the set contains a document.
func (d DenseSet) Has(doc uint32) bool {
	word := int(doc / 64)
	return d == nil || word < len(d) && d[word]&(1<<(doc%64)) != 0
}
