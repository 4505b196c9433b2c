package write

import (
	"context"
	"fmt"

	"engram/facts"
	"engram/index"
	"engram/memory/internal/core"
)

// How near a fact has to be to be taken for what an update without key or
// lineage means. Below, taking it would hide a fact that may well be true, so a
// new one is added instead.
const (
	// nearCosine is from the consistency plan.
	nearCosine = 0.75
	// nearWords is used without vectors. Of 651 real edits of
	// documentation it takes 66 % for updates of the right sentence, and of 1,119
	// sentences about a sibling of the same thing 2 %; with 0.85 these are 80 %
	// and 15 % (docs/retrieval.md).
	nearWords = 0.9
)

// nearest is the fact that an update is taken to mean.
type nearest struct {
	fact    facts.Fact
	found   bool
	measure string // how near it is, for a person
	rival   string // the key of another that is as near, "" for none
}

// asNear is the difference of similarity up to which two facts count as equally near.
const asNear = 0.02

// embedDrafts computes the vectors of drafts that ask for the nearest fact, before the
// lock of writers is taken.
func (m *Writer) embedDrafts(ctx context.Context, drafts []Draft) error {
	var claims []string
	for _, d := range drafts {
		if d.wantsNearest {
			claims = append(claims, d.Fact.Claim)
		}
	}
	if m.Embedder == nil || len(claims) == 0 {
		return nil
	}
	if tip, err := m.Store.Tip(ctx); err == nil && m.Embedder.Instant() {
		if _, err := m.Index.Embed(ctx, tip, false); err != nil {
			m.Log.Warn("vectors not caught up", "error", err)
		}
	}
	vectors, err := m.Embedder.Embed(ctx, claims)
	if err != nil {
		return fmt.Errorf("embed the claim: %w", err)
	}
	for i := range drafts {
		if drafts[i].wantsNearest {
			drafts[i].vector, vectors = vectors[0], vectors[1:]
		}
	}
	return nil
}

// settleNearest gives next the lineage of the nearest fact if the draft asks for that
// and one is near enough. The notes say what it did, the warnings what else it could
// have done.
func (p *Planner) settleNearest(ctx context.Context, d Draft, next *facts.Fact) (notes, warnings []string, err error) {
	if !d.wantsNearest {
		return nil, nil, nil
	}
	near, err := p.nearest(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	if p.m.EmbedderProblem != "" {
		warnings = []string{"compared by words alone: " + p.m.EmbedderProblem}
	}
	if !near.found {
		return []string{"no current fact in scope is near enough to be the one meant; the claim was added"}, warnings, nil
	}
	next.Key, next.Lineage = near.fact.Key, near.fact.Lineage
	if near.rival != "" {
		warnings = append(warnings, fmt.Sprintf("%s is as near; name the one you mean with its key", near.rival))
	}
	return []string{fmt.Sprintf("updated %s, the nearest fact in scope (%s)", near.fact.Key, near.measure)}, warnings, nil
}

// nearest searches what this commit writes, then the branch.
func (p *Planner) nearest(ctx context.Context, d Draft) (nearest, error) {
	best, similarity := nearest{}, nearWords
	for _, f := range p.pending {
		s := index.Similarity(f.Claim, d.Fact.Claim)
		nearer := s > similarity || s == similarity && (!best.found || f.Key.String() < best.fact.Key.String())
		if nearer && core.VisibleOn(f, d.Fact.Branch) && f.StateAt(p.Now) == facts.Current && core.UnderScope(f.Scope, d.Fact.Scope) {
			best, similarity = nearest{fact: f, found: true, measure: fmt.Sprintf("words %.2f", s)}, s
		}
	}
	if best.found {
		return best, nil
	}
	near, err := p.lookup.nearest(d)
	if _, rewritten := p.pending[near.fact.Key]; rewritten {
		return nearest{}, err // what stood there is gone with this commit
	}
	return near, err
}

// nearest finds the current fact in the scope of a draft that is nearest to its claim:
// by vectors or, if vectors find none, by words.
func (m *Writer) nearest(ctx context.Context, view *index.View, d Draft) (nearest, error) {
	const enough = 20
	q := index.Query{Text: d.Fact.Claim, Scope: d.Fact.Scope, Now: m.Moment(), Limit: enough, Without: core.InternalPrefixes(""), Branch: d.Fact.Branch}
	if d.vector != nil {
		near, err := view.Rank(ctx, q, index.Ranking{Signals: []index.Signal{index.Vectors}, Vector: d.vector})
		if err != nil {
			return nearest{}, err
		}
		if best, err := m.nearestByVector(ctx, near.Hits); best.found || err != nil {
			return best, err
		}
	}
	hits, _, err := view.Search(ctx, q)
	if err != nil {
		return nearest{}, err
	}
	best, similarity := nearest{}, 0.0
	for _, hit := range hits {
		f, err := m.FactOfBlob(ctx, hit.Blob)
		if err != nil {
			return nearest{}, err
		}
		s := index.Similarity(f.Claim, d.Fact.Claim)
		switch {
		case s < nearWords:
		case !best.found || s > similarity:
			rival := ""
			if best.found && s-similarity <= asNear {
				rival = best.fact.Key.String()
			}
			best, similarity = nearest{f, true, fmt.Sprintf("words %.2f", s), rival}, s
		case similarity-s <= asNear:
			best.rival = f.Key.String()
		}
	}
	return best, nil
}

// nearestByVector is the first of hits ordered by cosine, if it is near enough.
func (m *Writer) nearestByVector(ctx context.Context, hits []index.Ranked) (nearest, error) {
	if len(hits) == 0 || hits[0].Places[0].Score < nearCosine {
		return nearest{}, nil
	}
	cosine := hits[0].Places[0].Score
	f, err := m.FactOfBlob(ctx, hits[0].Blob)
	best := nearest{fact: f, found: err == nil, measure: fmt.Sprintf("cosine %.2f", cosine)}
	if len(hits) > 1 && cosine-hits[1].Places[0].Score <= asNear {
		best.rival = hits[1].Key.String()
	}
	return best, err
}
