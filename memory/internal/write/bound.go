package write

import (
	"context"

	"engram/facts"
	"engram/index"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// bind decides where a fact that is stated on a branch stands.
//
//  1. It continues, by lineage or by its own key, a fact that is bound to the branch: at the key of that one.
//  2. It continues a fact that holds on all branches: beside that one, which stays.
//  3. It has a key: beside that key.
//  4. It has none: beside a new key.
func (p *Planner) bind(ctx context.Context, next *facts.Fact) (err error) {
	if next.Branch == "" || !next.For.IsZero() && next.Key == facts.Bind(next.For, next.Branch) {
		return nil
	}
	var old facts.Fact
	if next.Lineage != "" {
		old, err = p.byLineage(ctx, next.Lineage)
	} else if !next.Key.IsZero() {
		old, _, err = p.At(ctx, next.Key)
	}
	if err != nil {
		return err
	}
	switch {
	case old.Branch == next.Branch: // 1.
		moved := !next.Key.IsZero() && next.Key != old.Key && next.Key != old.Target()
		if !moved {
			next.Key, next.For = old.Key, old.For
			return nil
		}
	case old.Branch != "":
		return core.UsageErrorf(hint.New("switch to that branch or name it, or write under another key"), "%s is bound to the branch %s", old.Key, old.Branch)
	case next.Lineage != "": // 2.
		next.Lineage = ""
		if next.Key.IsZero() {
			next.Key = old.Key
		}
	}
	if next.Key.IsZero() {
		if next.Key, err = p.freshKey(ctx, *next); err != nil {
			return err
		}
	}
	next.For, next.Key = next.Key, facts.Bind(next.Key, next.Branch)
	return nil
}

// maxTold bounds the commits, by their facts, for which tellStandIns looks for bound
// facts.
const maxTold = 20

// tellStandIns warns of facts that this work tree will not show, because another fact is
// bound to its branch in their place.
func (m *Writer) tellStandIns(ctx context.Context, results []CommitResult) {
	branch := m.Store.CodeBranch()
	if branch == "" || len(results) > maxTold {
		return
	}
	q := index.Query{Branch: branch, Now: m.Moment()}
	for i, r := range results {
		key, err := facts.ParseKey(r.Key)
		if err != nil || r.Branch != "" || r.Duplicate || r.MemoryOp == string(facts.OpDelete) {
			continue
		}
		if said, err := m.OverrideNotes(ctx, r.Revision, q, key); err == nil {
			results[i].Warnings = append(results[i].Warnings, said...)
		}
	}
}
