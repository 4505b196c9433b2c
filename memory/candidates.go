package memory

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/index"
)

// How many facts are held against one that changed (seed 4, tier 1), by each
// of three routes.
const (
	nearVectors = 20 // nearest by vectors in scope
	nearWordsIn = 10 // best by words in scope
	// sharing is how many that name the same as it does, in any scope. The rules
	// look at all of them, a model at what fits in maxJudged.
	sharing = 30
	// maxJudged is how many of them all a model may be asked about.
	maxJudged = 30
)

// firstOfAll is the priority of what has to be compared whatever else there is.
const firstOfAll = 100

// stated is a fact as an audit needs it.
type stated struct {
	fact  facts.Fact
	blob  string
	claim *detect.Claim
}

// candidate is a fact that another may clash with.
type candidate struct {
	*stated
	priority float64 // the sum of 1/rank over the routes that brought it
}

// missed says what was not looked at, so that the work stays bounded.
type missed struct {
	crowded map[string]int // by what is named: the facts whose sharing of it was passed over
	beyond  int            // facts that share a name and were not among the best
	surplus int            // clashes of facts that have enough conflicts
}

// candidates finds the current facts that may clash with one, best first.
func (e *examiner) candidates(view *index.View, s *stated) ([]candidate, error) {
	found := make(map[string]float64) // priority by blob
	for _, route := range e.routes(view, s) {
		a, err := view.Rank(e.ctx, route.query, route.ranking)
		if err != nil {
			return nil, err
		}
		for i, hit := range a.Hits {
			found[hit.Blob] += 1 / float64(i+1)
		}
		if route.ranking.Signals[0] == index.Entities {
			e.missed.beyond += max(0, a.Matched-len(a.Hits))
			for _, key := range a.PassedOver {
				e.missed.crowded[key]++
			}
		}
	}
	if s.fact.IsRival() {
		standing, err := e.m.side(e.ctx, view.Revision(), detect.Party{Key: s.fact.For})
		if err != nil {
			return nil, err
		}
		if standing != nil {
			found[standing.blob] += firstOfAll
		}
	}
	delete(found, s.blob)
	list, err := e.read(slices.Sorted(maps.Keys(found)))
	if err != nil {
		return nil, err
	}
	var candidates []candidate
	for _, other := range list {
		if other.fact.Lineage != s.fact.Lineage && e.concerns(other.fact) {
			candidates = append(candidates, candidate{other, found[other.blob]})
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.fact.Key.String(), b.fact.Key.String()))
	})
	return candidates, nil
}

// route is one way to candidates.
type route struct {
	query   index.Query
	ranking index.Ranking
}

func (e *examiner) routes(view *index.View, s *stated) []route {
	query := func(scope string, limit int) index.Query {
		q := index.Query{Text: s.fact.Claim, Scope: scope, Now: e.now, Limit: limit + 1, Without: unasked("")}
		e.m.restrict(&q)
		return q
	}
	by := func(signal index.Signal, limit int) index.Ranking {
		return index.Ranking{Signals: []index.Signal{signal}, Pool: limit + 1}
	}
	routes := []route{
		{query("", sharing), by(index.Entities, sharing)},
		{query(s.fact.Scope, nearWordsIn), by(index.Words, nearWordsIn)},
	}
	if vector := view.VectorOf(s.fact.Claim); vector != nil {
		ranking := by(index.Vectors, 2*nearVectors) // of which vectors bring half
		ranking.Vector = vector
		routes = append(routes, route{query(s.fact.Scope, nearVectors), ranking})
	}
	return routes
}

// concerns reports whether a fact can be a side of a conflict: it holds now and for
// all, is meant to last, and is no bookkeeping of engram's own, such as a conflict.
func (e *examiner) concerns(f facts.Fact) bool { return concerns(f, e.now) }

func concerns(f facts.Fact, now time.Time) bool {
	return f.StateAt(now) == facts.Current && f.Durability != facts.Ephemeral && !f.IsBound() && !bookkeeping(f.Key)
}

// keptClaims bounds how many facts an examination remembers.
const keptClaims = 20_000

// read reads facts by the names of their blobs, each once. What is no fact is left
// out.
func (e *examiner) read(blobs []string) ([]*stated, error) {
	if len(e.known) > keptClaims {
		clear(e.known)
	}
	var unknown []string
	for _, blob := range blobs {
		if e.known[blob] == nil {
			unknown = append(unknown, blob)
		}
	}
	texts, err := e.m.store.Blobs(e.ctx, unknown)
	if err != nil {
		return nil, err
	}
	for i, text := range texts {
		f, err := facts.Parse(text)
		if err != nil {
			continue // too large, gone or damaged: lint's to report
		}
		e.known[unknown[i]] = &stated{f, unknown[i], e.tags.read(f)}
	}
	list := make([]*stated, 0, len(blobs))
	for _, blob := range blobs {
		if s := e.known[blob]; s != nil {
			list = append(list, s)
		}
	}
	return list, nil
}
