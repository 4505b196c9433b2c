package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"engram/facts"
	"engram/index"
	"engram/memory/internal/core"
)

// mergeScores makes the scores of this memory's hits comparable with those of the sources.
// It may be called again with other hits.
func (e *sourceSearch) mergeScores(a question, ours *index.Answer) {
	if e == nil {
		return
	}
	if !a.wantsOurs() {
		*ours = index.Answer{}
	}
	together := []*index.Answer{ours}
	matched := ours.Matched
	for _, s := range e.wait() {
		if s.err == nil {
			together = append(together, &s.found) // merging changes its order and scores; a second merge does not
			matched += s.found.Matched
		}
	}
	index.Together(together, a.ranking.Weights)
	ours.Matched = matched
}

// mergeSources merges the hits of sources with those of this memory, by score, up to the limit.
// If two hits have the same claim, or the same key and scope, one is shown: that of this
// memory, else the one with the higher score, else the first by name.
func (m *Reader) mergeSources(ctx context.Context, view *index.View, a question, ours []Hit, result *QueryResult) ([]Hit, error) {
	if a.sources == nil {
		return ours, nil
	}
	foreign, texts := a.sources.hits(a, result)
	all := append(slices.Clone(ours), foreign...)
	slices.SortStableFunc(all, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Origin, b.Origin), b.ValidFrom.Compare(a.ValidFrom))
	})
	shown, taken := make([]Hit, 0, a.limit), make(map[string]bool)
	for _, h := range all {
		if len(shown) == a.limit {
			break
		}
		place, claim := "at "+h.Key.String()+" "+h.Scope, "says "+facts.ContentHash(h.Claim)
		if h.Origin != "" {
			known, err := m.alreadySays(ctx, view, a, texts[address(h)])
			if err != nil {
				return nil, err
			}
			if known || taken[place] || taken[claim] {
				continue
			}
			taken[place], taken[claim] = true, true
		}
		shown = append(shown, h)
	}
	return shown, nil
}

// hits returns the hits of all sources, with their facts by address, and adds the notes of
// the sources to the result.
func (e *sourceSearch) hits(a question, result *QueryResult) (foreign []Hit, texts map[string]facts.Fact) {
	result.Sources = []SourceAnswer{}
	texts = make(map[string]facts.Fact)
	for _, s := range e.wait() {
		result.Sources = append(result.Sources, s.shown)
		for _, note := range s.notes {
			result.note(fmt.Sprintf("%s: %s", s.shown.Name, note))
		}
		if s.err != nil {
			result.note(fmt.Sprintf("%s was not asked: %v", s.shown.Name, s.err))
			continue
		}
		if s.shown.Pending > 0 {
			result.note(s.shown.Name + ": its index could not be brought up to date; the newest facts are missing")
		}
		for _, hit := range s.found.Hits {
			if f, ok := s.facts[hit.Blob]; ok {
				h := s.hit(f, hit, a)
				foreign, texts[address(h)] = append(foreign, h), f
			}
		}
	}
	return foreign, texts
}

// address names a fact of a source.
func address(h Hit) string { return h.Origin + ":" + h.Key.String() }

// note adds a note unless it is there: an answer may be assembled twice.
func (r *QueryResult) note(text string) {
	if !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}

// hit returns a fact of a source as a result. It is disputed if its own team's memory says
// so.
func (s *sourceAnswer) hit(f facts.Fact, found index.Ranked, a question) Hit {
	h := newHit(f, found, a.query.Now)
	h.Origin, h.Trust = s.shown.Name, s.trust[found.Blob]
	if s.seen.Open[f.Key.String()] > 0 {
		open := true
		h.HasConflict = &open
	}
	if e := s.explain[found.Blob]; e != nil {
		h.Explanation = &Explanation{Signals: e.Signals, Parts: parts(found.Parts, a.ranking.Weights), Factor: e.Factor}
	}
	return h
}

// alreadySays reports whether this memory was asked and has the claim of a source's fact, or
// a fact at the same key and scope.
func (m *Reader) alreadySays(ctx context.Context, view *index.View, a question, f facts.Fact) (bool, error) {
	if !a.wantsOurs() {
		return false, nil
	}
	ours, found, err := m.FactAt(ctx, view.Revision(), f.Key)
	if ctx.Err() != nil {
		return false, err
	}
	if err == nil && found && ours.Scope == f.Scope && ours.StateAt(a.query.Now) == facts.Current {
		return true, nil
	}
	_, n, err := view.Search(ctx, index.Query{Hash: facts.ContentHash(f.Claim), Now: a.query.Now, Limit: 1, Without: core.InternalPrefixes("")})
	return n > 0, err
}
