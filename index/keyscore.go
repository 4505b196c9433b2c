package index

import (
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"
)

// maxFactsPerKey is how many facts a hash key may have before it tells nothing
// and is passed over: the seed's "top-N per key", which with windows instead of
// eviction would otherwise have to be kept up for each key.
const maxFactsPerKey = 2000

// keyScorer recalls documents by hash keys. The score is the sum of the keys'
// weights, by how few facts share each.
type keyScorer struct {
	keys []scoredKey
	// passedOver are the keys of too many facts.
	passedOver []string
	tally
	files tally // as far as keys of files are concerned: the overlap of pointers
}

type scoredKey struct {
	hashKey
	idf      float64
	postings []segmentapi.PostingsList // by segment
}

// Fresh is a scorer of the same keys for another goroutine.
func (s *keyScorer) Fresh() Scorer { return &keyScorer{keys: s.keys} }

func newKeyScorer(segments []segment, keys []hashKey) (*keyScorer, error) {
	s := &keyScorer{}
	documents := liveDocuments(segments)
	var words, hashed []hashKey
	var texts, terms []string
	for _, key := range keys {
		if key.kind == keyWord {
			words, texts = append(words, key), append(texts, key.text)
		} else {
			hashed, terms = append(hashed, key), append(terms, key.term())
		}
	}
	for _, lookup := range []struct {
		field string
		keys  []hashKey
		terms []string
	}{{textField, words, texts}, {keyField, hashed, terms}} {
		byTerm, err := postingsOf(segments, lookup.field, lookup.terms)
		if err != nil {
			return nil, err
		}
		for i, postings := range byTerm {
			switch count := countOf(postings); {
			case count > maxFactsPerKey:
				s.passedOver = append(s.passedOver, lookup.keys[i].text)
			case count > 0:
				s.keys = append(s.keys, scoredKey{lookup.keys[i], idf(documents, count), postings})
			}
		}
	}
	return s, nil
}

// Offer gives top the documents of segment i that pass the filter and have any
// of the keys.
func (s *keyScorer) Offer(i int, f *filter, top *topList) error {
	if len(s.keys) == 0 {
		return nil
	}
	s.reset(f.seg.size())
	s.files.reset(f.seg.size())
	var iterator segmentapi.PostingsIterator
	for _, k := range s.keys {
		if k.postings[i].Count() == 0 {
			continue
		}
		iterator = k.postings[i].Iterator(false, false, false, iterator)
		for {
			p, err := iterator.Next()
			if err != nil {
				return err
			}
			if p == nil {
				break
			}
			doc := uint32(p.Number())
			s.add(doc, k.idf)
			if k.kind == keyFile {
				s.files.add(doc, 1)
			}
		}
	}
	return top.offerScored(f, &s.tally, s.overlap)
}

func (s *keyScorer) overlap(doc uint32) float64 {
	if len(s.files.touched) == 0 {
		return 0
	}
	return s.files.scores[doc]
}
