package index

import (
	"context"
	"slices"

	"engram/facts"
)

// Recall returns the best hits for keys by hash keys alone (seed 1 §5.1, the first
// stage), best first, and how many there are in all. Each of keys is looked up by
// itself: an identifier, a word, a tag, a file, a concept such as service:gateway, or
// a few words that stand together. The order is by the keys that a fact has, then
// scope match, recency, confidence and overlap of pointers, so that equal indexes
// give equal answers. passedOver are keys that so many facts have that they tell
// nothing. The text of q takes no part.
func (v *View) Recall(ctx context.Context, q Query, keys []string) (hits []Hit, total int, passedOver []string, err error) {
	err = v.guard(ctx, func() (err error) {
		hits, total, passedOver, err = v.recall(ctx, q, keys)
		return err
	})
	return hits, total, passedOver, err
}

func (v *View) recall(ctx context.Context, q Query, keys []string) ([]Hit, int, []string, error) {
	q, err := q.onBranch(v.store.segments())
	if err != nil {
		return nil, 0, nil, err
	}
	segments := v.store.segments()
	s, err := newKeyScorer(segments, givenKeys(keys, v.concepts))
	if err != nil {
		return nil, 0, nil, err
	}
	finders := []finder{{Keys, s, byHashKeys(q)}}
	tops, err := lookAll(ctx, q, Ranking{Pool: q.limit()}, finders, segments, make([]*filter, len(segments)))
	if err != nil {
		return nil, 0, nil, err
	}
	hits, err := tops[0].hits()
	return hits, tops[0].total, s.passedOver, err
}

// givenKeys are the hash keys that somebody names. Unlike the sentences of a
// question, neighbours in the list have nothing to do with each other.
func givenKeys(given []string, concepts func(string) []string) []hashKey {
	a := &analyzer{}
	var keys []hashKey
	for _, text := range given {
		text = bounded(text)
		for _, k := range a.questionKeys(text, append([]string{text}, concepts(text)...)) {
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	return keys
}

// HashKeys are the hash keys of a fact as a person reads them, the most telling
// first. concepts names what a text is about, as in Options.
func HashKeys(f facts.Fact, concepts func(text string) []string) []string {
	var named []string
	if concepts != nil {
		named = concepts(f.Claim)
	}
	var texts []string
	for _, k := range (&analyzer{}).factKeys(f, named) {
		if !slices.Contains(texts, k.text) {
			texts = append(texts, k.text)
		}
	}
	return texts
}
