package index

import (
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"
)

// segment is a segment of the index as it was when it was opened.
type segment struct {
	*scorch.SegmentSnapshot
}

// size is the number of documents, deleted ones included.
func (s segment) size() int { return int(s.FullSize()) }

func (s segment) live() int { return int(s.Count()) }

func (s segment) all() *roaring.Bitmap { return s.DocNumbersLive() }

func (s segment) postings(field, term string) (segmentapi.PostingsList, error) {
	dictionary, err := s.Segment().Dictionary(field)
	if err != nil {
		return nil, err
	}
	return dictionary.PostingsList([]byte(term), s.Deleted(), nil)
}

// postingsOf looks terms of a field up in every segment. Opening a dictionary
// costs as much as a lookup, so it is opened once.
func postingsOf(segments []segment, field string, terms []string) (byTerm [][]segmentapi.PostingsList, err error) {
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

func countOf(postings []segmentapi.PostingsList) (n int) {
	for _, p := range postings {
		n += int(p.Count())
	}
	return n
}

// documents returns the live documents that have a term in a field, in a set
// that is the caller's to change.
func (s segment) documents(field, term string) (*roaring.Bitmap, error) {
	postings, err := s.postings(field, term)
	if err != nil {
		return nil, err
	}
	set := roaring.New()
	if direct, ok := postings.(interface{ OrInto(*roaring.Bitmap) }); ok {
		direct.OrInto(set) // it leaves the deleted in
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

func (s segment) id(doc uint32) (docID, error) {
	name, err := s.DocID(uint64(doc))
	if err != nil {
		return docID{}, err
	}
	if name == nil {
		return docID{}, fmt.Errorf("document %d is missing", doc)
	}
	return decodeDocID(string(name))
}

// glimpse reads what is most often needed of a document, several times as fast
// as id.
func (s segment) glimpse(doc uint32) (glimpse, error) {
	name, err := s.DocID(uint64(doc))
	if err != nil {
		return glimpse{}, err
	}
	return glimpseOf(name)
}

// denseSet is a set of documents that is quick to ask; nil holds all.
type denseSet []uint64

func dense(set *roaring.Bitmap) denseSet {
	if set == nil {
		return nil
	}
	return append(denseSet{}, set.ToDense()...)
}

func (d denseSet) has(doc uint32) bool {
	word := int(doc / 64)
	return d == nil || word < len(d) && d[word]&(1<<(doc%64)) != 0
}
