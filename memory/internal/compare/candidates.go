package compare

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/index"
	"engram/memory/internal/core"
)

// How many facts a changed fact is compared with (tier 1 of the consistency plan), for each
// of three routes.
const (
	nearVectors = 20 // nearest by vectors in scope
	nearWords   = 10 // best by words in scope
	// sharing is how many facts that share a name with it, in any scope. The rules
	// check all of them, a model only maxJudged.
	nearNames = 30
	// maxJudged is the maximum number of candidates that a model is asked about.
	maxJudged = 30
)

// candidate is a fact that another may clash with.
type candidate struct {
	*core.AnalyzedFact
	priority float64 // the sum of 1/rank over the routes that brought it
}

// skipped counts what was not examined, so that the work stays bounded.
type skipped struct {
	Crowded map[string]int // by name: the facts for which a name that thousands share was ignored
	Beyond  int            // facts that share a name and were not among the best
	Surplus int            // clashes of facts that have enough conflicts
}

// candidates finds the current facts that may clash with one, best first.
func (e *Examiner) candidates(ctx context.Context, view *index.View, s *core.AnalyzedFact) ([]candidate, error) {
	p, err := e.search(ctx, view, s)
	if err != nil {
		return nil, err
	}
	list, err := e.Read(ctx, p.blobs())
	return e.choose(s, p, list), err
}

// proposal is what the index proposes to compare a fact with.
type proposal struct {
	priority map[string]float64 // by blob
	beyond   int                // see skipped
	crowded  []string
}

// blobs returns what is proposed, sorted.
func (p proposal) blobs() []string { return slices.Sorted(maps.Keys(p.priority)) }

// search asks the index for facts that may clash with one. It changes nothing, so several
// goroutines may search.
func (e *Examiner) search(ctx context.Context, view *index.View, s *core.AnalyzedFact) (p proposal, err error) {
	p.priority = make(map[string]float64)
	for _, route := range e.routes(view, s) {
		a, err := view.Rank(ctx, route.query, route.ranking)
		if err != nil {
			return p, err
		}
		for i, hit := range a.Hits {
			p.priority[hit.Blob] += 1 / float64(i+1)
		}
		if route.ranking.Signals[0] == index.Entities {
			p.beyond += max(0, a.Matched-len(a.Hits))
			p.crowded = append(p.crowded, a.PassedOver...)
		}
	}
	if s.Fact.IsRival() {
		standing, err := e.m.ConflictSide(ctx, view.Revision(), detect.Party{Key: s.Fact.For})
		if err != nil {
			return p, err
		}
		if standing != nil {
			p.priority[standing.Blob] += core.TopPriority
		}
	}
	delete(p.priority, s.Blob)
	return p, nil
}

// choose returns those of some facts that are proposed for a fact and can be a side of a
// conflict with it, best first.
func (e *Examiner) choose(s *core.AnalyzedFact, p proposal, list []*core.AnalyzedFact) (candidates []candidate) {
	e.Skipped.Beyond += p.beyond
	for _, key := range p.crowded {
		e.Skipped.Crowded[key]++
	}
	for _, other := range list {
		if other.Fact.Lineage != s.Fact.Lineage && e.MayConflict(other.Fact) {
			candidates = append(candidates, candidate{other, p.priority[other.Blob]})
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.Fact.Key.String(), b.Fact.Key.String()))
	})
	return candidates
}

// route is one way to candidates.
type route struct {
	query   index.Query
	ranking index.Ranking
}

func (e *Examiner) routes(view *index.View, s *core.AnalyzedFact) []route {
	query := func(scope string, limit int) index.Query {
		q := index.Query{Text: s.Fact.Claim, Scope: scope, Now: e.Now, Limit: limit + 1, Without: core.InternalPrefixes("")}
		e.m.Restrict(&q)
		return q
	}
	by := func(signal index.Signal, limit int) index.Ranking {
		return index.Ranking{Signals: []index.Signal{signal}, Pool: limit + 1}
	}
	routes := []route{
		{query("", nearNames), by(index.Entities, nearNames)},
		{query(s.Fact.Scope, nearWords), by(index.Words, nearWords)},
	}
	if vector := view.VectorOf(s.Fact.Claim); vector != nil {
		ranking := by(index.Vectors, 2*nearVectors) // of which vectors bring half
		ranking.Vector = vector
		routes = append(routes, route{query(s.Fact.Scope, nearVectors), ranking})
	}
	return routes
}

// MayConflict reports whether a fact can be a side of a conflict now; see the function
// MayConflict.
func (e *Examiner) MayConflict(f facts.Fact) bool { return MayConflict(f, e.Now) }

// MayConflict reports whether a fact can be a side of a conflict: it is current, bound to no
// code branch, not ephemeral, and not bookkeeping of engram, such as a conflict.
func MayConflict(f facts.Fact, now time.Time) bool {
	return f.StateAt(now) == facts.Current && f.Durability != facts.Ephemeral && !f.IsBound() && !core.IsInternal(f.Key)
}

// maxCached is how many facts an examination remembers at least, those that it read last,
// and half of how many at most.
const maxCached = 10_000

// Read reads facts by the names of their blobs, each once, and omits files that are not
// facts.
func (e *Examiner) Read(ctx context.Context, blobs []string) ([]*core.AnalyzedFact, error) {
	if len(e.cache) > maxCached {
		e.earlier, e.cache = e.cache, make(map[string]*core.AnalyzedFact)
	}
	var unknown []string
	for _, blob := range blobs {
		if s := cmp.Or(e.cache[blob], e.earlier[blob]); s != nil {
			e.cache[blob] = s
		} else {
			unknown = append(unknown, blob)
		}
	}
	texts, err := e.m.Store.Blobs(ctx, unknown)
	if err != nil {
		return nil, err
	}
	read := make([]*core.AnalyzedFact, len(texts))
	inParallel(len(texts), func(i int) {
		if f, err := facts.Parse(texts[i]); err == nil { // else too large, gone or damaged: lint's to report
			read[i] = &core.AnalyzedFact{Fact: f, Blob: unknown[i], Claim: e.Tags.read(f)}
		}
	})
	for i, s := range read {
		if s != nil {
			e.cache[unknown[i]] = s
		}
	}
	list := make([]*core.AnalyzedFact, 0, len(blobs))
	for _, blob := range blobs {
		if s := e.cache[blob]; s != nil {
			list = append(list, s)
		}
	}
	return list, nil
}
