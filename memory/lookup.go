package memory

import (
	"context"
	"slices"

	"engram/facts"
	"engram/index"
)

// lookupQuery asks for the facts on the tip with a content hash in a scope, or
// with a lineage. Which of them are open is the caller's to judge.
type lookupQuery struct {
	hash, scope string
	lineage     string
}

// lookup looks facts up in one revision.
type lookup struct {
	find    func(lookupQuery) ([]facts.Fact, error)
	nearest func(draft) (nearest, error)
}

// scanAbove is the number of drafts from which reading the whole branch once
// is faster than asking the index for each, and spares building one.
const scanAbove = 500

// withLookup calls use with a lookup that reflects the tip exactly.
func (m *Memory) withLookup(ctx context.Context, tip string, drafts []draft, use func(lookup) error) error {
	asksNearest := slices.ContainsFunc(drafts, func(d draft) bool { return d.nearest })
	if len(drafts) > scanAbove && !asksNearest {
		find, err := m.scanLookup(ctx, tip)
		if err != nil {
			return err
		}
		return use(lookup{find: find})
	}
	_, err := m.index.View(ctx, tip, func(view *index.View) error {
		return use(lookup{
			find:    func(q lookupQuery) ([]facts.Fact, error) { return m.indexLookup(ctx, view, q) },
			nearest: func(d draft) (nearest, error) { return m.nearest(ctx, view, d) },
		})
	})
	return err
}

func (m *Memory) indexLookup(ctx context.Context, view *index.View, q lookupQuery) ([]facts.Fact, error) {
	const enough = 20 // open facts of one hash or lineage; more than one is already odd
	hits, _, err := view.Search(ctx, index.Query{
		Hash: q.hash, Scope: q.scope, Lineage: q.lineage, Now: m.moment(), Ephemeral: true, Branch: EveryBranch, Limit: enough,
	})
	if err != nil {
		return nil, err
	}
	found := make([]facts.Fact, 0, len(hits))
	for _, hit := range hits {
		data, err := m.store.Blob(ctx, hit.Blob)
		if err != nil {
			return nil, err
		}
		f, err := facts.Parse(data)
		if err != nil {
			continue // the index holds only facts; a damaged one is lint's to report
		}
		found = append(found, f)
	}
	return found, nil
}

// scanLookup reads every fact of the tip into two maps.
func (m *Memory) scanLookup(ctx context.Context, tip string) (func(lookupQuery) ([]facts.Fact, error), error) {
	byHash := make(map[lookupQuery][]facts.Fact)
	byLineage := make(map[string][]facts.Fact)
	for file, err := range m.store.All(ctx, tip, "") {
		if err != nil {
			return nil, err
		}
		f, err := parse(file)
		if err != nil {
			continue // files beside the facts, and what lint reports
		}
		q := lookupQuery{hash: facts.ContentHash(f.Claim), scope: f.Scope}
		byHash[q] = append(byHash[q], f)
		byLineage[f.Lineage] = append(byLineage[f.Lineage], f)
	}
	return func(q lookupQuery) ([]facts.Fact, error) {
		if q.lineage != "" {
			return byLineage[q.lineage], nil
		}
		return byHash[q], nil
	}, nil
}
