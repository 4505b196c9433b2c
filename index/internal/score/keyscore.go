package score

import (
	"slices"

	segmentapi "github.com/blevesearch/scorch_segment_api/v2"

	"engram/index/internal/query"
	"engram/index/internal/store"
	"engram/index/internal/version"
	"engram/internal/terms"
)

// maxFactsPerKey is how many facts a hash key may have before it tells nothing
// and is passed over: the seed's "top-N per key", which with windows instead of
// eviction would otherwise have to be kept up for each key.
const maxFactsPerKey = 2000

// Keys recalls documents by hash keys. The score is the sum of the keys'
// weights, by how few facts share each.
type Keys struct {
	Keys []Key
	// passedOver are the keys of too many facts.
	PassedOver []string
	scratch    *Scratch
}

// Key is a hash key that is looked for, with its weight.
type Key struct {
	terms.Key
	Idf      float64
	Postings []segmentapi.PostingsList // by segment
}

// Fresh is a scorer of the same keys for another goroutine.
func (s *Keys) Fresh() Scorer { return &Keys{Keys: s.Keys, scratch: s.scratch} }

// NewKeys returns the scorer of hash keys over segments.
func NewKeys(segments []store.Segment, keys []terms.Key, scratch *Scratch) (*Keys, error) {
	s := &Keys{scratch: scratch}
	documents := store.CountDocuments(segments)
	var words, hashed []terms.Key
	var texts, hashes []string
	for _, key := range keys {
		if key.Kind == terms.Word {
			words, texts = append(words, key), append(texts, key.Text)
		} else {
			hashed, hashes = append(hashed, key), append(hashes, key.Term())
		}
	}
	for _, lookup := range []struct {
		field string
		keys  []terms.Key
		terms []string
	}{{version.TextField, words, texts}, {terms.KeyField, hashed, hashes}} {
		byTerm, err := store.Lookup(segments, lookup.field, lookup.terms)
		if err != nil {
			return nil, err
		}
		for i, postings := range byTerm {
			switch count := store.CountPostings(postings); {
			case count > maxFactsPerKey:
				s.PassedOver = append(s.PassedOver, lookup.keys[i].Text)
			case count > 0:
				s.Keys = append(s.Keys, Key{lookup.keys[i], idf(documents, count), postings})
			}
		}
	}
	return s, nil
}

// Offer gives top the documents of segment i that pass the filter and have any
// of the keys.
func (s *Keys) Offer(i int, f *query.Filter, top *TopList) error {
	if len(s.Keys) == 0 {
		return nil
	}
	scored, files := s.scratch.lend(), s.scratch.lend()
	defer s.scratch.takeBack(scored)
	defer s.scratch.takeBack(files)
	scored.reset(0, f.Seg.Size())
	files.reset(0, 0)
	if slices.ContainsFunc(s.Keys, func(k Key) bool { return k.Kind == terms.File }) {
		files.reset(0, f.Seg.Size())
	}
	var iterator segmentapi.PostingsIterator
	for _, k := range s.Keys {
		if k.Postings[i].Count() == 0 {
			continue
		}
		iterator = k.Postings[i].Iterator(false, false, false, iterator)
		for {
			p, err := iterator.Next()
			if err != nil {
				return err
			}
			if p == nil {
				break
			}
			doc := uint32(p.Number())
			scored.add(doc, k.Idf)
			if k.Kind == terms.File {
				files.add(doc, 1)
			}
		}
	}
	return top.offerScored(f, scored, func(doc uint32) float64 { // the overlap of pointers
		if len(files.touched) == 0 {
			return 0
		}
		return files.of(doc)
	})
}
