package exchange

import (
	"context"
	"slices"
	"strings"

	"engram/facts"
	"engram/index"
	"engram/memory/internal/ask"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// find fills in the result.
func (s *engramSearch) find(ctx context.Context, view *index.View) error {
	seen, err := s.m.audit.AuditedAt(ctx, view.Revision(), view)
	if err != nil {
		return err
	}
	if len(s.keys) == 0 { // otherwise hash keys alone decide
		if s.ranking.Trust, err = seen.Trust(ctx, view); err != nil {
			return err
		}
	}
	hits, err := s.search(ctx, view, s.query)
	if err != nil {
		return err
	}
	hits = slices.DeleteFunc(hits, func(h index.Ranked) bool { return h.Key == s.self })
	list, err := s.m.FactsOf(ctx, hits)
	if err != nil {
		return err
	}
	shown, now := make([]EngramHit, len(list)), s.m.Moment()
	for i, f := range list {
		f = core.FillUnstated(f)
		s.evidence.Add(f)
		shown[i] = EngramHit{
			Engram: s.m.engramAt(hits[i].Blob, f), Key: hits[i].Key, Freshness: core.Unchecked,
			HasConflict: seen.HasConflict(ctx, hits[i].Key, hits[i].Blob), Age: core.Age(f.Provenance.CreatedAt, now),
		}
	}
	if err := s.countHidden(ctx, view); err != nil {
		return err
	}
	s.result.Answer = core.AnswerAt(view.Revision())
	return s.fit(shown)
}

// search asks the index.
func (s *engramSearch) search(ctx context.Context, view *index.View, q index.Query) ([]index.Ranked, error) {
	if len(s.keys) > 0 {
		found, total, passedOver, err := view.Recall(ctx, q, s.keys)
		s.result.Matched = total
		if len(passedOver) > 0 && len(found) == 0 {
			s.result.Notes = append(s.result.Notes, "too many facts have these keys for them to tell anything: "+strings.Join(passedOver, ", "))
		}
		hits := make([]index.Ranked, len(found))
		for i, h := range found {
			hits[i].Hit = h
		}
		return hits, err
	}
	found, err := view.Rank(ctx, q, s.ranking)
	s.result.Matched, s.result.Mode = found.Matched, ask.ModeLexical
	switch {
	case found.Compared && s.in.Near != "":
		s.result.Mode = ModeVectors
	case found.Compared:
		s.result.Mode = ask.ModeHybrid
	}
	return found.Hits, err
}

// markFreshness sets the freshness of each engram.
func (s *engramSearch) markFreshness(ctx context.Context, tip string) error {
	found := s.result.Engrams
	notes, err := s.evidence.CheckEach(ctx, s.m.proof, tip, proof.FreshTime, len(found),
		func(i int) facts.Key { return found[i].Key }, func(i int, f core.Freshness) { found[i].Freshness = f })
	s.result.Notes = append(s.result.Notes, notes...)
	return err
}

// countHidden counts the matches that the agent may not read.
func (s *engramSearch) countHidden(ctx context.Context, view *index.View) error {
	if s.reader == nil {
		return nil
	}
	hidden := *s
	q := s.query
	q.Access, q.Limit = s.reader.WithheldRules(), 1
	_, err := hidden.search(ctx, view, q)
	s.result.Withheld = hidden.result.Matched
	return err
}

// fit omits the engrams that exceed the inline budget.
func (s *engramSearch) fit(shown []EngramHit) error {
	most := s.query.Limit
	if s.in.Near != "" {
		most--
	}
	shown = shown[:min(len(shown), most)]
	n, err := core.FitBudget(shown, s.m.budget.Limits().Inline.Tokens)
	if err != nil {
		return err
	}
	s.result.Engrams, s.result.Omitted = append([]EngramHit{}, shown[:n]...), len(shown)-n
	s.result.Tokens = 0
	for _, hit := range s.result.Engrams {
		cost, err := core.CountTokens(hit)
		if err != nil {
			return err
		}
		s.result.Tokens += cost
	}
	return nil
}
