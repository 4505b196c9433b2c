package memory

import (
	"context"
	"slices"
	"strings"

	"engram/facts"
	"engram/index"
)

// find fills the result in.
func (s *engramSearch) find(ctx context.Context, view *index.View) error {
	seen, err := s.m.auditedAt(ctx, view.Revision(), view)
	if err != nil {
		return err
	}
	if len(s.keys) == 0 { // hash keys alone decide otherwise
		if s.ranking.Trust, err = seen.trust(ctx, view); err != nil {
			return err
		}
	}
	hits, err := s.look(ctx, view, s.query)
	if err != nil {
		return err
	}
	hits = slices.DeleteFunc(hits, func(h index.Ranked) bool { return h.Key == s.self })
	list, err := s.m.factsOf(ctx, hits)
	if err != nil {
		return err
	}
	shown, now := make([]EngramHit, len(list)), s.m.moment()
	for i, f := range list {
		f = forReaders(f)
		s.evidence.add(f)
		shown[i] = EngramHit{
			Engram: s.m.engramAt(hits[i].Blob, f), Key: hits[i].Key, Freshness: Unchecked,
			HasConflict: seen.hasConflict(hits[i].Key, hits[i].Blob), Age: age(f.Provenance.CreatedAt, now),
		}
	}
	if err := s.countHidden(ctx, view); err != nil {
		return err
	}
	s.result.Answer = answer(view.Revision())
	return s.fit(shown)
}

// look asks the index.
func (s *engramSearch) look(ctx context.Context, view *index.View, q index.Query) ([]index.Ranked, error) {
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
	s.result.Matched, s.result.Mode = found.Matched, ModeLexical
	switch {
	case found.Compared && s.in.Near != "":
		s.result.Mode = ModeVectors
	case found.Compared:
		s.result.Mode = ModeHybrid
	}
	return found.Hits, err
}

// tellFresh says of each engram whether its evidence still stands.
func (s *engramSearch) tellFresh(ctx context.Context, tip string) error {
	found := s.result.Engrams
	notes, err := s.evidence.tell(ctx, s.m, tip, freshTime, len(found),
		func(i int) facts.Key { return found[i].Key }, func(i int, f Freshness) { found[i].Freshness = f })
	s.result.Notes = append(s.result.Notes, notes...)
	return err
}

// countHidden counts what matches and is not for who asks.
func (s *engramSearch) countHidden(ctx context.Context, view *index.View) error {
	if s.reader == nil {
		return nil
	}
	hidden := *s
	q := s.query
	q.Access, q.Limit = s.reader.withheld(), 1
	_, err := hidden.look(ctx, view, q)
	s.result.Withheld = hidden.result.Matched
	return err
}

// fit leaves out what the inline budget has no room for.
func (s *engramSearch) fit(shown []EngramHit) error {
	most := s.query.Limit
	if s.in.Near != "" {
		most--
	}
	shown = shown[:min(len(shown), most)]
	n, err := fitting(shown, s.m.limits().Inline.Tokens)
	if err != nil {
		return err
	}
	s.result.Engrams, s.result.Omitted = append([]EngramHit{}, shown[:n]...), len(shown)-n
	s.result.Tokens = 0
	for _, hit := range s.result.Engrams {
		cost, err := tokensOf(hit)
		if err != nil {
			return err
		}
		s.result.Tokens += cost
	}
	return nil
}
