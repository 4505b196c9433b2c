package events

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"engram/index/internal/embedding"
	"engram/index/internal/fusion"
	"engram/index/internal/score"
	"engram/index/internal/store"
	"engram/internal/vectors"
)

// poolSize is how many candidates words, and vectors, bring at least where both take part: as many
// as a recall returns at most.
// Each is looked up in every segment, which takes most of the time.
const poolSize = 24

// question is what a search needs to find what is near in meaning.
type question struct {
	vector  []float32 // nil: vectors take no part
	file    *vectors.File
	kinds   []string
	pending int
}

// question embeds the text of a query if vectors can answer it.
func (x *Index) question(ctx context.Context, segments []store.Segment, loan *embedding.Loan, q Query, words []string) question {
	if x.embedder == nil || !q.Near || q.Newest || len(q.Exact) > 0 || len(words) == 0 {
		return question{}
	}
	near := question{kinds: x.kinds, file: loan.File(), pending: x.pending(segments)}
	if near.file == nil || near.file.Len() == 0 {
		return near
	}
	vectors, err := x.embedder.Embed(ctx, []string{q.Text})
	if err != nil {
		x.folder.Logger.Warn("searching without vectors", "error", err)
		return near
	}
	if slices.ContainsFunc(vectors[0], func(v float32) bool { return v != 0 }) {
		near.vector = vectors[0]
	}
	return near
}

// join lets vectors add to the hits that words found, which are in order, and orders all by
// reciprocal rank fusion. added are those that words did not find.
func (n question) join(bm25 *score.BM25, words int, segments []store.Segment, sets []*roaring.Bitmap, hits []placed) (fused []placed, added int, err error) {
	found, err := n.find(segments, sets)
	if err != nil {
		return nil, 0, err
	}
	pinned, err := holdAll(bm25, words, hits)
	if err != nil {
		return nil, 0, err
	}
	place(hits)
	type at struct {
		segment int
		number  uint32
	}
	places := make(map[at]int, len(hits)+len(found))
	fused = slices.Clone(hits)
	for i, h := range fused {
		places[at{h.segment, h.number}] = i
	}
	for i, f := range found {
		where, known := places[at{f.segment, f.number}]
		if !known {
			h, err := hitOf(f.segment, segments[f.segment], f.number)
			if err != nil {
				return nil, 0, err
			}
			where = len(fused)
			fused = append(fused, h)
			added++
		}
		fused[where].Places = append(fused[where].Places, Place{Signal: fusion.Vectors, Rank: i + 1, Score: f.cosine, Best: found[0].cosine})
	}
	active := []fusion.Signal{fusion.Words, fusion.Vectors}
	slices.SortStableFunc(fused, func(a, b placed) int {
		return cmp.Or(cmp.Compare(fusion.Relevance(b.Places, active), fusion.Relevance(a.Places, active)), compare(a, b))
	})
	return pin(fused, hits, pinned), added, nil
}

// place says of hits, which are in order, where words put them.
func place(hits []placed) {
	for i := range hits {
		hits[i].Places = []Place{{Signal: fusion.Words, Rank: i + 1, Score: hits[i].Score, Best: hits[0].Score}}
	}
}

// holdAll tells which hits have all words of a question, and so all that have its exact text.
func holdAll(bm25 *score.BM25, words int, hits []placed) ([]bool, error) {
	all := make([]bool, len(hits))
	if len(bm25.Terms) < words {
		return all, nil // no event has one of them
	}
	bySegment := make(map[int]*roaring.Bitmap)
	for _, h := range hits {
		if bySegment[h.segment] == nil {
			bySegment[h.segment] = roaring.New()
		}
		bySegment[h.segment].Add(h.number)
	}
	for i, set := range bySegment {
		if err := bm25.HaveAll(i, set); err != nil {
			return nil, err
		}
	}
	for i, h := range hits {
		all[i] = bySegment[h.segment].Contains(h.number)
	}
	return all, nil
}

// pin moves hits up that words had put higher, if they are pinned: vectors lift what is near
// in meaning, but nothing that has the words of the question falls for it.
func pin(fused, byWords []placed, pinned []bool) []placed {
	rank := func(h placed) int { return h.Places[0].Rank - 1 }
	isPinned := func(h placed) bool { return h.Places[0].Signal == fusion.Words && pinned[rank(h)] }
	out := make([]placed, 0, len(fused))
	taken := make([]bool, len(byWords)) // by words
	next := 0
	for len(out) < len(fused) {
		if p := len(out); p < len(byWords) && pinned[p] && !taken[p] {
			taken[p] = true
			at := slices.IndexFunc(fused, func(h placed) bool { return isPinned(h) && rank(h) == p })
			out = append(out, fused[at])
			continue
		}
		h := fused[next]
		next++
		if isPinned(h) {
			if taken[rank(h)] {
				continue
			}
			taken[rank(h)] = true
		}
		out = append(out, h)
	}
	return out
}

// nearDoc is a document whose vector is near.
type nearDoc struct {
	segment int
	number  uint32
	cosine  float64
}

// find returns the documents that are allowed and whose vectors are nearest, the best first.
func (n question) find(segments []store.Segment, sets []*roaring.Bitmap) ([]nearDoc, error) {
	all := store.CountDocuments(segments)
	if fusion.ScanIsCheaper(passing(segments, sets), all, len(segments), poolSize) {
		return n.scan(segments, sets)
	}
	ids, err := newIDIndex(segments)
	if err != nil {
		return nil, err
	}
	found := make(map[int]nearDoc)
	near, nearErr := n.file.Nearest(n.vector, poolSize, func(row int) bool {
		if err == nil {
			err = ids.each(n.file.Key(row), func(i int, doc uint32) error {
				if sets[i] == nil || sets[i].Contains(doc) {
					found[row] = nearDoc{segment: i, number: doc}
				}
				return nil
			})
		}
		_, ok := found[row]
		return err != nil || ok
	})
	if err = errors.Join(err, nearErr); err != nil {
		return nil, err
	}
	var list []nearDoc
	for _, r := range near {
		if d, ok := found[r.Row]; ok && r.Cosine >= fusion.LeastCosine {
			d.cosine = float64(r.Cosine)
			list = append(list, d)
		}
	}
	return list, nil
}

// scan compares the documents that are allowed one by one.
func (n question) scan(segments []store.Segment, sets []*roaring.Bitmap) (list []nearDoc, err error) {
	for i, seg := range segments {
		f := &filter{seg: seg, set: sets[i]}
		if f.set == nil {
			f.set = seg.All()
		}
		f.any(byKind, n.kinds)
		if f.err != nil {
			return nil, f.err
		}
		for it := f.set.Iterator(); it.HasNext(); {
			doc := it.Next()
			name, err := seg.DocID(uint64(doc))
			if err != nil {
				return nil, err
			}
			row, ok := n.file.Row(rowKey(name))
			if !ok {
				continue
			}
			if cosine := n.file.Cosine(row, n.vector); cosine >= fusion.LeastCosine {
				list = append(list, nearDoc{i, doc, float64(cosine)})
			}
		}
	}
	slices.SortFunc(list, func(a, b nearDoc) int {
		return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.segment, b.segment), cmp.Compare(a.number, b.number))
	})
	return list[:min(len(list), poolSize)], nil
}

// pending is about how many events have no vector yet: those that the last call of Embed left,
// and those that came since.
func (x *Index) pending(segments []store.Segment) int {
	missing, live := x.vectors.Standing()
	return max(0, missing+x.count(segments)-live)
}
