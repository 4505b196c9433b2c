package write

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// lookup finds facts in one revision.
type lookup struct {
	find    func(core.LookupQuery) ([]facts.Fact, error)
	nearest func(Draft) (nearest, error)
	// meet compares a fact with those on the tip; nil if the index was not asked.
	meet func(*compare.Examiner, *core.AnalyzedFact, func(facts.Key) bool) error
	// doubted returns the families whose findings open no conflict; nil if meet is.
	doubted func() (map[string]bool, error)
	// related finds facts on the tip about the same matter; nil if meet is.
	related func(*compare.Examiner, *core.AnalyzedFact) ([]compare.Near, error)
}

// scanAbove is the number of drafts from which neither an index is built for them, nor each
// compared with what stands: an audit does that.
const scanAbove = 500

// isIndexed reports whether the index reflects a revision, or nearly.
func (m *Writer) isIndexed(ctx context.Context, tip string) (bool, error) {
	stats, err := m.Index.Stats(ctx)
	if err != nil || stats.Revision == "" {
		return false, nil // an index that cannot be used is made again by the next question
	}
	if stats.Revision == tip {
		return true, nil
	}
	changes, err := m.Store.Diff(ctx, stats.Revision, tip)
	if errors.Is(err, gitstore.ErrNotFound) {
		return false, nil
	}
	return len(changes) <= scanAbove, err
}

// withLookup calls use with a lookup that reflects the tip exactly.
func (m *Writer) withLookup(ctx context.Context, tip string, drafts []Draft, use func(lookup) error) error {
	asksNearest := slices.ContainsFunc(drafts, func(d Draft) bool { return d.wantsNearest })
	many := len(drafts) > scanAbove && !asksNearest
	if many {
		near, err := m.isIndexed(ctx, tip)
		if err != nil {
			return err
		}
		if !near {
			find, err := m.scanLookup(ctx, tip, drafts)
			if err != nil {
				return err
			}
			return use(lookup{find: find})
		}
	}
	_, err := m.Index.View(ctx, tip, func(view *index.View) error {
		find := func(q core.LookupQuery) ([]facts.Fact, error) { return m.IndexLookup(ctx, view, q) }
		if many {
			return use(lookup{find: find})
		}
		return use(lookup{
			find:    find,
			nearest: func(d Draft) (nearest, error) { return m.nearest(ctx, view, d) },
			meet: func(e *compare.Examiner, s *core.AnalyzedFact, replaced func(facts.Key) bool) error {
				return e.Meet(ctx, view, s, replaced)
			},
			doubted: func() (map[string]bool, error) { return m.audit.Doubted(ctx, tip, view) },
			related: func(e *compare.Examiner, s *core.AnalyzedFact) ([]compare.Near, error) {
				return e.Related(ctx, view, s)
			},
		})
	})
	return err
}

// scanLookup reads every fact of the tip, and keeps those that the drafts may ask for.
func (m *Writer) scanLookup(ctx context.Context, tip string, drafts []Draft) (func(core.LookupQuery) ([]facts.Fact, error), error) {
	byHash := make(map[core.LookupQuery][]facts.Fact)
	byLineage := make(map[string][]facts.Fact)
	hashes, lineages := make(map[string]bool), make(map[string]bool)
	for _, d := range drafts {
		hashes[facts.ContentHash(d.Fact.Claim)], lineages[d.Fact.Lineage] = true, true
	}
	for file, err := range m.Store.All(ctx, tip, "") {
		if err != nil {
			return nil, err
		}
		f, err := core.Parse(file)
		if err != nil {
			continue // files beside the facts, and what lint reports
		}
		if q := (core.LookupQuery{Hash: facts.ContentHash(f.Claim), Scope: f.Scope}); hashes[q.Hash] {
			byHash[q] = append(byHash[q], f)
		}
		if lineages[f.Lineage] {
			byLineage[f.Lineage] = append(byLineage[f.Lineage], f)
		}
	}
	return func(q core.LookupQuery) ([]facts.Fact, error) {
		if q.Lineage != "" {
			return byLineage[q.Lineage], nil
		}
		return byHash[q], nil
	}, nil
}

func (p *Planner) byLineage(ctx context.Context, lineage string) (facts.Fact, error) {
	f, found, err := p.find(ctx, core.LookupQuery{Lineage: lineage}, func(f facts.Fact) bool {
		return f.Lineage == lineage && core.CurrentOrScheduled(f, p.Now)
	})
	if err == nil && !found {
		err = fmt.Errorf("%w: no open fact has the lineage %s", core.ErrNotFound, lineage)
	}
	return f, err
}

// find searches what this commit writes and, for keys that it does not write, the
// branch.
func (p *Planner) find(ctx context.Context, q core.LookupQuery, match func(facts.Fact) bool) (facts.Fact, bool, error) {
	for _, key := range p.written[q] {
		if f := p.pending[key]; match(f) {
			return f, true, nil
		}
	}
	candidates, err := p.lookup.find(q)
	if err != nil {
		return facts.Fact{}, false, err
	}
	for _, f := range candidates {
		if _, rewritten := p.pending[f.Key]; !rewritten && match(f) {
			return f, true, nil
		}
	}
	return facts.Fact{}, false, nil
}

// free reports whether a key can be taken: no open fact and no unreadable file stands
// there.
func (p *Planner) free(ctx context.Context, key facts.Key) (bool, error) {
	at, found, err := p.At(ctx, key)
	if errors.Is(err, core.ErrUnreadable) {
		return false, nil
	}
	return !found || !core.CurrentOrScheduled(at, p.Now), err
}

// maxKeyAttempts bounds how many keys with equal slugs are numbered.
const maxKeyAttempts = 50

// freshKey makes a key from kind, scope and claim that no open fact has.
func (p *Planner) freshKey(ctx context.Context, f facts.Fact) (facts.Key, error) {
	slug := facts.Slug(f.Claim)
	if slug == "" { // no Latin letter or digit in it
		slug = facts.ContentHash(f.Claim)[:12]
	}
	key := facts.Key{Namespace: facts.KindNamespace(f.Kind), Category: facts.ScopeCategory(f.Scope)}
	for n := 1; n <= maxKeyAttempts; n++ {
		key.Identifier = slug
		if n > 1 {
			key.Identifier = fmt.Sprintf("%s-%d", slug, n)
		}
		free, err := p.free(ctx, key)
		if err == nil && free && f.Branch != "" {
			free, err = p.free(ctx, facts.Bind(key, f.Branch))
		}
		if err != nil || free {
			return key, err
		}
	}
	key.Identifier = slug + "-" + strings.ToLower(p.m.NewID(p.Now))
	return key, nil
}
