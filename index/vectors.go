package index

import (
	"errors"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"

	"engram/internal/vectors"
)

// leastCosine is how near a claim has to be for its vector to recommend it.
const leastCosine = 0.2

// nearest lets the vectors propose candidates.
func (v *View) nearest(q Query, r Ranking, filters []*filter) (*topList, error) {
	file := v.vectors.file()
	top := &topList{limit: r.pool(Vectors), compare: candidate.compare}
	if file == nil {
		return top, nil
	}
	if compareEachIsCheaper(filters, top.limit) {
		return top, compareEach(file, r.Vector, filters, top)
	}
	holders, err := newHolders(v.store.segments())
	if err != nil {
		return nil, err
	}
	found := make(map[int][]candidate)
	near, nearErr := file.Nearest(r.Vector, top.limit, func(row int) bool {
		if err == nil {
			err = holders.each(file.Key(row), func(i int, doc uint32) error {
				id, ok, err := filters[i].admit(doc)
				if ok {
					found[row] = append(found[row], candidate{docID: id})
				}
				return err
			})
		}
		return err != nil || len(found[row]) > 0
	})
	if err = errors.Join(err, nearErr); err != nil {
		return nil, err
	}
	for _, n := range near {
		for _, c := range found[n.Row] {
			if c.score = float64(n.Cosine); n.Cosine >= leastCosine {
				top.total++
				top.take(c)
			}
		}
	}
	return top, nil
}

// compareEachIsCheaper weighs two ways to the best vectors among documents that
// pass a filter: to look at each of these documents, or to take the nearest of
// all vectors and look each up in every segment until enough pass. A look and a
// lookup both cost about half a microsecond.
func compareEachIsCheaper(filters []*filter, wanted int) bool {
	passing, all := 0, 0
	for _, f := range filters {
		all += f.seg.live()
		if f.allowed == nil {
			passing += f.seg.live()
		} else {
			passing += int(f.allowed.GetCardinality())
		}
	}
	return passing == 0 || passing < len(filters)*wanted*all/passing
}

// compareEach compares the documents that pass the filters one by one.
func compareEach(file *vectors.File, question []float32, filters []*filter, top *topList) error {
	for _, f := range filters {
		for it := f.documents().Iterator(); it.HasNext(); {
			doc := it.Next()
			seen, err := f.seg.glimpse(doc)
			if err != nil {
				return err
			}
			row, ok := file.Row(seen.text)
			if !ok {
				continue
			}
			if cosine := file.Cosine(row, question); cosine >= leastCosine {
				if err := top.offer(f, doc, float64(cosine), 0); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// holders finds the documents with a claim. It is for one goroutine.
type holders struct {
	segments     []segment
	dictionaries []segmentapi.TermDictionary
	hidden       []*roaring.Bitmap // by segment: documents that are passed over; nil: none
	postings     segmentapi.PostingsList
	iterator     segmentapi.PostingsIterator
}

func newHolders(segments []segment) (*holders, error) {
	h := &holders{segments: segments}
	for _, seg := range segments {
		dictionary, err := seg.Segment().Dictionary(filterField)
		if err != nil {
			return nil, err
		}
		h.dictionaries = append(h.dictionaries, dictionary)
	}
	return h, nil
}

// hide makes each pass over what is bound to another code branch.
func (h *holders) hide(branch string) error {
	h.hidden = make([]*roaring.Bitmap, len(h.segments))
	for i, seg := range h.segments {
		var err error
		if h.hidden[i], err = otherBranches(seg, branch); err != nil {
			return err
		}
	}
	return nil
}

// each calls visit for every live document with the claim that is not hidden.
func (h *holders) each(digest uint64, visit func(segment int, doc uint32) error) (err error) {
	term := []byte(hashTerm(digest))
	for i, dictionary := range h.dictionaries {
		h.postings, err = dictionary.PostingsList(term, h.segments[i].Deleted(), h.postings)
		if err != nil {
			return err
		}
		if h.postings.Count() == 0 {
			continue
		}
		h.iterator = h.postings.Iterator(false, false, false, h.iterator)
		for {
			p, err := h.iterator.Next()
			if err != nil {
				return err
			}
			if p == nil {
				break
			}
			doc := uint32(p.Number())
			if h.hidden != nil && h.hidden[i] != nil && h.hidden[i].Contains(doc) {
				continue
			}
			if err := visit(i, doc); err != nil {
				return err
			}
		}
	}
	return nil
}

// corroboration returns what counts the agents that corroborate a version.
func (v *View) corroboration(q Query, r Ranking) (func(docID) (int, error), error) {
	near := func(docID, map[string]bool) error { return nil }
	if v.vectors.file() != nil {
		h, err := newHolders(v.store.segments())
		if err != nil {
			return nil, err
		}
		if err := h.hide(q.Branch); err != nil {
			return nil, err
		}
		near = func(id docID, agents map[string]bool) error { return v.near(h, id, q, agents) }
	}
	return func(id docID) (int, error) {
		agents := make(map[string]bool)
		if r.Agreeing != nil {
			for _, agent := range r.Agreeing(id.Blob) {
				agents[agent] = true
			}
		}
		err := near(id, agents)
		return len(agents), err
	}, nil
}

// near adds the agents beside its own that state nearly the same claim as a
// version, with the same numbers, in a fact that stands.
func (v *View) near(h *holders, id docID, q Query, agents map[string]bool) error {
	file := v.vectors.file()
	row, ok := file.Row(id.Text)
	if !ok {
		return nil
	}
	for _, near := range append(slices.Clone(v.vectors.near(row)), row) { // the same words under another key as well
		err := h.each(file.Key(near), func(i int, doc uint32) error {
			f := newPresentFilter(h.segments[i], q)
			other, stands, err := f.load(doc)
			if stands && other.Tip && other.Key != id.Key && other.corroborates(id) {
				agents[other.Agent] = true
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// corroborates reports whether d, near-identical to c, was stated by somebody
// else with the same numbers.
func (d docID) corroborates(c docID) bool {
	return !d.Ephemeral && d.Agent != "" && d.Agent != c.Agent && d.Figures == c.Figures
}
