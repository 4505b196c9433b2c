package rank

import (
	"context"
	"runtime/debug"
	"slices"

	"engram/index/internal/query"
	"engram/index/internal/score"
	"engram/internal/terms"
)

// Recall returns the best hits for keys by hash keys alone (source document 1 §5.1, the first
// stage), best first, and how many there are in all. Each of keys is looked up by
// itself: an identifier, a word, a tag, a file, a concept such as service:gateway, or
// a few words that stand together. The order is by the keys that a fact has, then
// scope match, recency, confidence and overlap of pointers, so that equal indexes
// give equal answers. passedOver are keys that so many facts have that they tell
// nothing. The text of q takes no part.
func (v *View) Recall(ctx context.Context, q query.Query, keys []string) (hits []query.Hit, total int, passedOver []string, err error) {
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	q, err = q.OnBranch(v.store.Segments())
	if err != nil {
		return nil, 0, nil, err
	}
	segments := v.store.Segments()
	s, err := score.NewKeys(segments, givenKeys(keys, v.concepts), v.scratch)
	if err != nil {
		return nil, 0, nil, err
	}
	finders := []finder{{Keys, s, byHashKeys(q)}}
	tops, err := searchAll(ctx, q, Ranking{Pool: q.MaxHits()}, finders, segments, make([]*query.Filter, len(segments)))
	if err != nil {
		return nil, 0, nil, err
	}
	hits, err = tops[0].Hits()
	return hits, tops[0].Total, s.PassedOver, err
}

// givenKeys are the hash keys that somebody names. Unlike the sentences of a
// question, neighbours in the list have nothing to do with each other.
func givenKeys(given []string, concepts func(string) []string) []terms.Key {
	a := &terms.Analyzer{}
	var keys []terms.Key
	for _, text := range given {
		text = terms.Truncate(text)
		for _, k := range a.QuestionKeys(text, append([]string{text}, concepts(text)...)) {
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	return keys
}
