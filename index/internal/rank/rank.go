package rank

import (
	"cmp"
	"context"
	"math"
	"runtime/debug"
	"slices"
	"strings"

	"engram/index/internal/fusion"
	"engram/index/internal/query"
	"engram/index/internal/score"
	"engram/index/internal/version"
)

// poolSize is how many candidates each signal brings (source document 1 §5.2). Vectors
// bring half as many: each has to be looked up, and what is far down their list
// has little to say.
const poolSize = 100

// Ranking says what takes part in an answer, and how it is weighed.
type Ranking struct {
	Signals []Signal  // nil: all
	Vector  []float32 // of the question; nil: without vectors
	Weights Weights
	Trust   func(agent string) float64 // 0 to 1; nil: 1 for everybody
	// Agreeing names the agents beside its own that say the same as the version
	// in a blob, beyond those whose claims' vectors are near; nil: nobody.
	Agreeing func(blob string) []string
	// Pool is how many candidates each signal brings; 0 means 100.
	Pool int
}

// Ranked is a hit with what its place is made of.
type Ranked struct {
	query.Hit    // Score is Parts.Score
	Places       []Placed
	Parts        Parts
	Corroborated int // agents beside its own that say nearly the same
}

// Answer is what Rank found.
type Answer struct {
	Hits    []Ranked // best first
	Matched int      // documents that share a word or a key with the question
	Active  []Signal // signals that found anything
	// Compared: vectors took part, whether or not any was near.
	Compared bool
	// PassedOver are the keys of the question that so many facts share that they
	// tell nothing; none was looked up.
	PassedOver []string
}

// Rank returns the best hits for q by all signals together: each brings its best
// candidates, reciprocal rank fusion joins them, and source document 4's score orders
// them; equal scores by the later beginning, then the key. Without usable text
// there are none.
func (v *View) Rank(ctx context.Context, q query.Query, r Ranking) (a Answer, err error) {
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	return v.rank(ctx, q, r)
}

func (v *View) rank(ctx context.Context, q query.Query, r Ranking) (Answer, error) {
	q, err := q.OnBranch(v.store.Segments())
	if err != nil {
		return Answer{}, err
	}
	pools, passedOver, err := v.pools(ctx, q, r)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Compared: r.wants(Vectors) && v.vectors.File() != nil, PassedOver: passedOver}
	found := make(map[string]*Ranked)
	ids := make(map[string]version.ID)
	for _, s := range fusion.Signals() {
		pool, ok := pools[s]
		if !ok || len(pool.Best) == 0 {
			continue
		}
		a.Active = append(a.Active, s)
		if s != Vectors {
			a.Matched = max(a.Matched, pool.Total)
		}
		for i, c := range pool.Best {
			name := nameOf(c.Key, c.Blob)
			if found[name] == nil {
				hit, err := query.NewHit(c.ID, 0)
				if err != nil {
					return Answer{}, err
				}
				found[name], ids[name] = &Ranked{Hit: hit}, c.ID
			}
			found[name].Places = append(found[name].Places, Placed{Signal: s, Rank: i + 1, Score: c.Score, Best: pool.Best[0].Score})
		}
	}
	moment := q.Moment()
	for name, hit := range found {
		id := ids[name]
		hit.Parts = partsOf(id.Traits, moment)
		hit.Parts.Relevance = fusion.Relevance(hit.Places, a.Active)
		if r.Trust != nil {
			hit.Parts.Trust = r.Trust(id.Agent)
		}
		hit.Score = hit.Parts.Score(r.Weights)
		a.Hits = append(a.Hits, *hit)
	}
	a.Matched = max(a.Matched, len(a.Hits))
	a.Hits, err = v.best(a.Hits, ids, q, r)
	return a, err
}

// maxCorroborated is how many hits corroboration is looked up for, whatever the limit
// of the query: the limit must not change the order.
const maxCorroborated = 60

// best returns the hits that the query wants, in order.
func (v *View) best(hits []Ranked, ids map[string]version.ID, q query.Query, r Ranking) ([]Ranked, error) {
	slices.SortFunc(hits, compareRanked)
	corroborated, err := v.corroboration(q, r)
	if err != nil {
		return nil, err
	}
	hits = hits[:min(len(hits), maxCorroborated)]
	for i := range hits {
		h := &hits[i]
		if h.Corroborated, err = corroborated(ids[nameOf(h.Key.String(), h.Blob)]); err != nil {
			return nil, err
		}
		h.Parts.Corroboration = math.Log(1 + float64(h.Corroborated))
		h.Score = h.Parts.Score(r.Weights)
	}
	slices.SortFunc(hits, compareRanked)
	return hits[:min(len(hits), q.MaxHits())], nil
}

// nameOf tells the versions of an index apart.
func nameOf(key, blob string) string { return key + "\x00" + blob }

func compareRanked(a, b Ranked) int {
	if c := cmp.Or(cmp.Compare(b.Score, a.Score), b.Window.From.Compare(a.Window.From)); c != 0 {
		return c // without writing keys out
	}
	return cmp.Or(cmp.Compare(a.Key.String(), b.Key.String()), cmp.Compare(a.Blob, b.Blob))
}

// pool is how many candidates a signal brings.
func (r Ranking) pool(s Signal) int {
	size := r.Pool
	if size <= 0 {
		size = poolSize
	}
	if s == Vectors {
		size = max(1, size/2)
	}
	return size
}

func (r Ranking) wants(s Signal) bool {
	return (len(r.Signals) == 0 || slices.Contains(r.Signals, s)) && (s != Vectors || r.Vector != nil)
}

// byHashKeys orders candidates that hash keys recalled: by the keys they share
// with the question, then scope match, recency, confidence and pointer overlap
// (source document 1 §5.1).
func byHashKeys(q query.Query) func(a, b score.Candidate) int {
	depth := 0
	if q.ScopePath() != "" {
		depth = strings.Count(q.ScopePath(), "/") + 1
	}
	astray := func(c score.Candidate) int { return int(math.Abs(float64(int(c.Depth) - depth))) }
	confidence := func(c score.Candidate) int {
		if c.Confidence > 100 {
			return -1
		}
		return int(c.Confidence)
	}
	return func(a, b score.Candidate) int {
		match := 0
		if depth > 0 { // everything found is in the scope or below it
			match = cmp.Compare(astray(a), astray(b))
		}
		return cmp.Or(cmp.Compare(b.Score, a.Score), match, b.Committed.Compare(a.Committed),
			cmp.Compare(confidence(b), confidence(a)), cmp.Compare(b.Overlap, a.Overlap), a.Compare(b))
	}
}
