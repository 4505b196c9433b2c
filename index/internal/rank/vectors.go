package rank

import (
	"errors"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"

	"engram/index/internal/fusion"
	"engram/index/internal/query"
	"engram/index/internal/score"
	"engram/index/internal/store"
	"engram/index/internal/version"
	"engram/internal/vectors"
)

// nearest lets the vectors propose candidates.
func (v *View) nearest(q query.Query, r Ranking, filters []*query.Filter) (*score.TopList, error) {
	file := v.vectors.File()
	top := &score.TopList{Limit: r.pool(Vectors), Compare: score.Candidate.Compare}
	if file == nil {
		return top, nil
	}
	if scanIsCheaper(filters, top.Limit) {
		return top, scan(file, r.Vector, filters, top)
	}
	holders, err := newClaimIndex(v.store.Segments())
	if err != nil {
		return nil, err
	}
	found := make(map[int][]score.Candidate)
	near, nearErr := file.Nearest(r.Vector, top.Limit, func(row int) bool {
		if err == nil {
			err = holders.each(file.Key(row), func(i int, doc uint32) error {
				id, ok, err := filters[i].Admit(doc)
				if ok {
					found[row] = append(found[row], score.Candidate{ID: id})
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
			if c.Score = float64(n.Cosine); n.Cosine >= fusion.LeastCosine {
				top.Total++
				top.Take(c)
			}
		}
	}
	return top, nil
}

// scanIsCheaper is fusion.ScanIsCheaper for some filters.
func scanIsCheaper(filters []*query.Filter, wanted int) bool {
	passing, all := 0, 0
	for _, f := range filters {
		all += f.Seg.Live()
		if f.Allowed == nil {
			passing += f.Seg.Live()
		} else {
			passing += int(f.Allowed.GetCardinality())
		}
	}
	return fusion.ScanIsCheaper(passing, all, len(filters), wanted)
}

// scan compares the documents that pass the filters one by one.
func scan(file *vectors.File, question []float32, filters []*query.Filter, top *score.TopList) error {
	for _, f := range filters {
		for it := f.Documents().Iterator(); it.HasNext(); {
			doc := it.Next()
			seen, err := f.Seg.Summary(doc)
			if err != nil {
				return err
			}
			row, ok := file.Row(seen.Text)
			if !ok {
				continue
			}
			if cosine := file.Cosine(row, question); cosine >= fusion.LeastCosine {
				if err := top.Offer(f, doc, float64(cosine), 0); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// claimIndex finds the documents with a claim. It is for one goroutine.
type claimIndex struct {
	segments     []store.Segment
	dictionaries []segmentapi.TermDictionary
	hidden       []*roaring.Bitmap // by segment: documents that are passed over; nil: none
	postings     segmentapi.PostingsList
	iterator     segmentapi.PostingsIterator
}

func newClaimIndex(segments []store.Segment) (*claimIndex, error) {
	h := &claimIndex{segments: segments}
	for _, seg := range segments {
		dictionary, err := seg.Segment().Dictionary(version.FilterField)
		if err != nil {
			return nil, err
		}
		h.dictionaries = append(h.dictionaries, dictionary)
	}
	return h, nil
}

// hide makes each pass over what is bound to another code branch.
func (h *claimIndex) hide(branch string) error {
	h.hidden = make([]*roaring.Bitmap, len(h.segments))
	for i, seg := range h.segments {
		var err error
		if h.hidden[i], err = query.OtherBranches(seg, branch); err != nil {
			return err
		}
	}
	return nil
}

// each calls visit for every live document with the claim that is not hidden.
func (h *claimIndex) each(digest uint64, visit func(segment int, doc uint32) error) (err error) {
	term := []byte(version.ClaimTerm(digest))
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
func (v *View) corroboration(q query.Query, r Ranking) (func(version.ID) (int, error), error) {
	near := func(version.ID, map[string]bool) error { return nil }
	if v.vectors.File() != nil {
		h, err := newClaimIndex(v.store.Segments())
		if err != nil {
			return nil, err
		}
		if err := h.hide(q.Branch); err != nil {
			return nil, err
		}
		near = func(id version.ID, agents map[string]bool) error { return v.addNear(h, id, q, agents) }
	}
	return func(id version.ID) (int, error) {
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

// addNear adds the agents beside its own that state nearly the same claim as a
// version, with the same numbers, in a fact that stands.
func (v *View) addNear(h *claimIndex, id version.ID, q query.Query, agents map[string]bool) error {
	file := v.vectors.File()
	row, ok := file.Row(id.Text)
	if !ok {
		return nil
	}
	for _, near := range append(slices.Clone(v.vectors.Near(row)), row) { // the same words under another key as well
		err := h.each(file.Key(near), func(i int, doc uint32) error {
			f := query.NewPresentFilter(h.segments[i], q)
			other, stands, err := f.Load(doc)
			if stands && other.Tip && other.Key != id.Key && corroborates(other, id) {
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
func corroborates(d, c version.ID) bool {
	return !d.Ephemeral && d.Agent != "" && d.Agent != c.Agent && d.Numbers == c.Numbers
}
