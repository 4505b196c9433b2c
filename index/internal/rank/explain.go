package rank

import (
	"cmp"
	"context"
	"runtime/debug"
	"slices"
	"strings"

	segmentapi "github.com/blevesearch/scorch_segment_api/v2"

	"engram/facts"
	"engram/index/internal/fusion"
	"engram/index/internal/query"
	"engram/index/internal/score"
	"engram/index/internal/version"
	"engram/internal/terms"
)

// Share is a word or a key that question and fact have in common, and what it
// adds to the score of its signal.
type Share struct {
	Text  string
	Score float64
}

// Shared says what a hit has in common with the question: by signal, the
// heaviest first. Vectors share nothing that could be named.
func (v *View) Shared(ctx context.Context, q query.Query, h query.Hit) (shared map[Signal][]Share, err error) {
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	i, doc, err := v.documentOf(h)
	if err != nil || doc < 0 {
		return nil, err
	}
	shared = make(map[Signal][]Share)
	if shared[Words], err = v.sharedWords(q, i, uint64(doc)); err != nil {
		return nil, err
	}
	shared[Keys], shared[Entities], err = v.sharedKeys(q, i, uint64(doc))
	return shared, err
}

// documentOf finds the segment and document of a hit; -1 if it is gone.
func (v *View) documentOf(h query.Hit) (segment int, doc int64, err error) {
	for i, seg := range v.store.Segments() {
		set, err := seg.Documents(version.FilterField, version.FilterTerm(version.ByKey, h.Key.String()))
		if err != nil {
			return 0, -1, err
		}
		for it := set.Iterator(); it.HasNext(); {
			n := it.Next()
			id, err := seg.ID(n)
			if err != nil {
				return 0, -1, err
			}
			if id.Blob == h.Blob && id.Key == h.Key.String() {
				return i, int64(n), nil
			}
		}
	}
	return 0, -1, nil
}

func (v *View) sharedWords(q query.Query, i int, doc uint64) ([]Share, error) {
	s, err := score.NewBM25(v.store.Segments(), terms.OfQuestion(q.Text), v.scratch)
	if err != nil {
		return nil, err
	}
	var shares []Share
	for _, t := range s.Terms {
		p, err := posting(t.Postings[i], doc, true)
		if err != nil {
			return nil, err
		}
		if p != nil {
			shares = append(shares, Share{t.Text, t.Score(p)})
		}
	}
	return heaviestFirst(shares), nil
}

func (v *View) sharedKeys(q query.Query, i int, doc uint64) (keys, entities []Share, err error) {
	text := terms.Truncate(q.Text)
	s, err := score.NewKeys(v.store.Segments(), (&terms.Analyzer{}).QuestionKeys(text, v.concepts(text)), v.scratch)
	if err != nil {
		return nil, nil, err
	}
	for _, k := range s.Keys {
		p, err := posting(k.Postings[i], doc, false)
		if err != nil {
			return nil, nil, err
		}
		if p == nil {
			continue
		}
		keys = append(keys, Share{k.Text, k.Idf})
		if k.Kind == terms.Concept {
			entities = append(entities, Share{k.Text, k.Idf})
		}
	}
	return heaviestFirst(keys), heaviestFirst(entities), nil
}

// posting is the posting of a document in a list; nil if it is not there.
func posting(list segmentapi.PostingsList, doc uint64, counted bool) (segmentapi.Posting, error) {
	if list.Count() == 0 {
		return nil, nil
	}
	p, err := list.Iterator(counted, counted, false, nil).Advance(doc)
	if err != nil || p == nil || p.Number() != doc {
		return nil, err
	}
	return p, nil
}

func heaviestFirst(shares []Share) []Share {
	slices.SortStableFunc(shares, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Text, b.Text))
	})
	return shares
}

// deepPool is how far down the vectors are followed to place a single key.
const deepPool = 1000

// Place says where each signal puts the version at a key that a query is about,
// also far below the candidates that take part in an answer; Rank 0 stands for
// further down than it was followed. found is false if no signal finds it
// under the query's filters.
func (v *View) Place(ctx context.Context, q query.Query, r Ranking, key facts.Key) (hit Ranked, found bool, err error) {
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	if !key.HasPrefix(strings.Trim(q.KeyPrefix, "/")) {
		return hit, false, nil
	}
	if q, err = q.OnBranch(v.store.Segments()); err != nil {
		return hit, false, err
	}
	alone := q
	alone.KeyPrefix, alone.Limit = key.String(), poolSize
	mine, err := v.rank(ctx, alone, r)
	if err != nil {
		return hit, false, err
	}
	at := slices.IndexFunc(mine.Hits, func(h Ranked) bool { return h.Key == key })
	if at < 0 {
		return hit, false, nil
	}
	hit = mine.Hits[at]
	deep := r
	deep.Pool = deepPool
	var within []Placed
	for i := range hit.Places {
		p := &hit.Places[i]
		deep.Signals = []Signal{p.Signal}
		pools, _, err := v.pools(ctx, q, deep)
		if err != nil {
			return hit, false, err
		}
		pool := pools[p.Signal].Best
		if len(pool) == 0 {
			continue // so far down that not even the first few were followed
		}
		p.Best = pool[0].Score
		place := slices.IndexFunc(pool, func(c score.Candidate) bool { return c.Key == key.String() && c.Blob == hit.Blob })
		if p.Rank = place + 1; p.Rank > 0 && p.Rank <= r.pool(p.Signal) {
			within = append(within, *p)
		}
	}
	all, err := v.rank(ctx, q, r)
	if err != nil {
		return hit, false, err
	}
	hit.Parts.Relevance = fusion.Relevance(within, all.Active)
	hit.Score = hit.Parts.Score(r.Weights)
	return hit, true, nil
}
