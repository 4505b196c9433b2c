package score

import (
	"cmp"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"

	"engram/index/internal/query"
	"engram/index/internal/store"
	"engram/index/internal/version"
)

// The constants of Okapi BM25 (Robertson and Zaragoza, The Probabilistic
// Relevance Framework, 2009, §3.4). Term frequencies are weighted sums over the
// parts of a fact, which is the simple form of BM25F (§3.6). The length to
// compare with is fixed, near the mean of what weigh yields for facts, instead
// of the mean of this index: equal facts then score equally whatever
// else the index held before, which a moving mean would spoil.
const (
	bm25K1     = 2.0
	bm25B      = 0.6
	bm25Length = 80.0
	// maxLength bounds the lengths whose saturation is computed in advance;
	// a claim has 500 characters at most, so few facts come near.
	maxLength = 512
	// maxQuestionTerms is how many distinct terms of a question take part: the
	// rarest.
	maxQuestionTerms = 64
)

// BM25 scores documents term by term: postings are read in the order in
// which they lie, into one array of scores per segment. For questions of a few
// words that is a multiple faster than Bleve's own searchers, which advance all
// terms together and box each match.
type BM25 struct {
	Terms    []Term
	segments []store.Segment
	scratch  *Scratch
	// saturation is, by length, the term that a frequency is compared with.
	saturation *[maxLength]float64
}

// Fresh is a scorer of the same terms for another goroutine.
func (s *BM25) Fresh() Scorer {
	return &BM25{Terms: s.Terms, segments: s.segments, scratch: s.scratch, saturation: s.saturation}
}

// Term is a term that is looked for, with its postings.
type Term struct {
	Text     string
	count    int // of documents
	idf      float64
	Postings []segmentapi.PostingsList // by segment
}

// Score is what the term adds to the score of a document.
func (t Term) Score(p segmentapi.Posting) float64 {
	frequency := float64(p.Frequency())
	return t.idf * (bm25K1 + 1) * frequency / (frequency + saturation(textLength(p)))
}

// NewBM25 looks the terms up and weighs them. Without terms every document
// matches, with a score of 0.
func NewBM25(segments []store.Segment, terms []string, scratch *Scratch) (*BM25, error) {
	s := &BM25{segments: segments, scratch: scratch, saturation: new([maxLength]float64)}
	for length := range s.saturation {
		s.saturation[length] = saturation(length)
	}
	byTerm, err := store.Lookup(segments, version.TextField, terms)
	if err != nil {
		return nil, err
	}
	documents := store.CountDocuments(segments)
	for i, text := range terms {
		if count := store.CountPostings(byTerm[i]); count > 0 {
			s.Terms = append(s.Terms, Term{text, count, idf(documents, count), byTerm[i]})
		}
	}
	if len(s.Terms) > maxQuestionTerms {
		slices.SortStableFunc(s.Terms, func(a, b Term) int { return cmp.Compare(a.count, b.count) })
		s.Terms = s.Terms[:maxQuestionTerms]
	}
	if len(terms) > 0 && len(s.Terms) == 0 {
		s.segments = nil // nothing matches
	}
	return s, nil
}

// Offer gives top the documents of segment i that pass the filter and have any
// of the terms; without terms, all that pass.
func (s *BM25) Offer(i int, f *query.Filter, top *TopList) error {
	if len(s.segments) == 0 {
		return nil
	}
	if len(s.Terms) == 0 {
		return top.offerAll(f)
	}
	scored := s.scratch.lend()
	defer s.scratch.takeBack(scored)
	if err := s.accumulate(i, f, scored); err != nil {
		return err
	}
	return top.offerScored(f, scored, nil)
}

// accumulate adds up the scores of segment i. Those of documents that do not pass the
// filter may be missing.
func (s *BM25) accumulate(i int, f *query.Filter, scored *tally) error {
	first, end, only := uint32(0), uint32(s.segments[i].Size()), few(f.Allowed, s.segments[i].Size())
	if only != nil {
		first, end = 0, 0
		if !only.IsEmpty() {
			first, end = only.Minimum(), only.Maximum()+1
		}
	}
	scored.reset(first, int(end-first))
	var iterator segmentapi.PostingsIterator
	for _, t := range s.Terms {
		var err error
		if iterator, err = s.add(t, i, only, scored, iterator); err != nil {
			return err
		}
	}
	return nil
}

// add adds what a term contributes to the documents of segment i, or to only some of
// them, if they are among those that scored was made for. It returns the iterator, to
// be used again.
func (s *BM25) add(t Term, i int, only *roaring.Bitmap, scored *tally, iterator segmentapi.PostingsIterator) (segmentapi.PostingsIterator, error) {
	iterator = t.Postings[i].Iterator(true, true, false, iterator)
	if only != nil && !restrict(iterator, only) {
		return iterator, nil
	}
	weight, first, end := t.idf*(bm25K1+1), scored.first, scored.first+uint32(len(scored.scores))
	for {
		p, err := iterator.Next()
		if err != nil || p == nil {
			return iterator, err
		}
		doc, frequency := uint32(p.Number()), float64(p.Frequency())
		if doc < first || doc >= end {
			continue
		}
		against := 0.0
		if length := textLength(p); length < maxLength {
			against = s.saturation[length]
		} else {
			against = saturation(length)
		}
		scored.add(doc, weight*frequency/(frequency+against))
	}
}

// few returns the documents that are allowed if they are a small part of those of a
// segment: then looking for them in postings is faster than reading all.
func few(allowed *roaring.Bitmap, size int) *roaring.Bitmap {
	if allowed == nil || int(allowed.GetCardinality()) > size/4 {
		return nil
	}
	return allowed
}

// restrict makes an iterator skip all but some documents, if it can, and reports whether
// any of them is left.
func restrict(iterator segmentapi.PostingsIterator, only *roaring.Bitmap) bool {
	list, ok := iterator.(segmentapi.OptimizablePostingsIterator)
	if !ok {
		return true
	}
	if doc, single := list.DocNum1Hit(); single {
		return only.Contains(uint32(doc))
	}
	all := list.ActualBitmap()
	if all == nil {
		return true
	}
	left := roaring.And(all, only)
	if left.IsEmpty() {
		return false
	}
	list.ReplaceActual(left)
	return true
}

// Rarity is the weight of a term that one of some documents has.
func Rarity(documents int) float64 { return idf(documents, 1) }

// idf weighs a term by how few of the documents have it.
func idf(documents, having int) float64 {
	return math.Log(1 + (float64(documents)-float64(having)+0.5)/(float64(having)+0.5))
}

func saturation(length int) float64 {
	return bm25K1 * (1 - bm25B + bm25B*float64(length)/bm25Length)
}

// textLength is the length that document.go gave the text of a posting's
// document. Bleve hands it out as the norm, 1/√length, of which it keeps the
// length itself in the current format.
func textLength(p segmentapi.Posting) int {
	if exact, ok := p.(interface{ NormUint64() uint64 }); ok {
		return int(exact.NormUint64())
	}
	norm := p.Norm()
	return int(math.Round(1 / (norm * norm)))
}
