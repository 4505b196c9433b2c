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
	found := make(map[string]float64) // priority by blob
	for _, route := range e.routes(view, s) {
		a, err := view.Rank(ctx, route.query, route.ranking)
		if err != nil {
			return nil, err
		}
		for i, hit := range a.Hits {
			found[hit.Blob] += 1 / float64(i+1)
		}
		if route.ranking.Signals[0] == index.Entities {
			e.Skipped.Beyond += max(0, a.Matched-len(a.Hits))
			for _, key := range a.PassedOver {
				e.Skipped.Crowded[key]++
			}
		}
	}
	if s.Fact.IsRival() {
		standing, err := e.m.ConflictSide(ctx, view.Revision(), detect.Party{Key: s.Fact.For})
		if err != nil {
			return nil, err
		}
		if standing != nil {
			found[standing.Blob] += core.TopPriority
		}
	}
	delete(found, s.Blob)
	list, err := e.Read(ctx, slices.Sorted(maps.Keys(found)))
	if err != nil {
		return nil, err
	}
	var candidates []candidate
	for _, other := range list {
		if other.Fact.Lineage != s.Fact.Lineage && e.MayConflict(other.Fact) {
			candidates = append(candidates, candidate{other, found[other.Blob]})
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.Fact.Key.String(), b.Fact.Key.String()))
	})
	return candidates, nil
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

// maxCached bounds how many facts an examination remembers.
const maxCached = 20_000

// Read reads facts by the names of their blobs, each once, and omits files that are not
// facts.
func (e *Examiner) Read(ctx context.Context, blobs []string) ([]*core.AnalyzedFact, error) {
	if len(e.cache) > maxCached {
		clear(e.cache)
	}
	var unknown []string
	for _, blob := range blobs {
		if e.cache[blob] == nil {
			unknown = append(unknown, blob)
		}
	}
	texts, err := e.m.Store.Blobs(ctx, unknown)
	if err != nil {
		return nil, err
	}
	for i, text := range texts {
		f, err := facts.Parse(text)
		if err != nil {
			continue // too large, gone or damaged: lint's to report
		}
		e.cache[unknown[i]] = &core.AnalyzedFact{Fact: f, Blob: unknown[i], Claim: e.Tags.read(f)}
	}
	list := make([]*core.AnalyzedFact, 0, len(blobs))
	for _, blob := range blobs {
		if s := e.cache[blob]; s != nil {
			list = append(list, s)
		}
	}
	return list, nil
}
