package write

import (
	"context"

	"engram/facts"
	"engram/memory/internal/core"
)

// predecessor finds the open fact that next continues, and settles next's key.
//
//  1. A lineage: the fact of that lineage, at next's key or at its own.
//  2. A key where an open fact stands: that fact.
//  3. Anything else continues nothing; without a key it gets a new one.
func (p *Planner) predecessor(ctx context.Context, next *facts.Fact) (old facts.Fact, continues bool, err error) {
	if next.Lineage == "" {
		return p.openAt(ctx, next)
	}
	if old, err = p.byLineage(ctx, next.Lineage); err != nil {
		return old, false, err
	}
	if next.Key.IsZero() {
		next.Key = old.Key
	}
	return old, true, nil
}

// openAt finds the open fact at next's key, and gives next a new key if it has none.
func (p *Planner) openAt(ctx context.Context, next *facts.Fact) (old facts.Fact, open bool, err error) {
	if next.Key.IsZero() {
		next.Key, err = p.freshKey(ctx, *next)
		return facts.Fact{}, false, err
	}
	old, found, err := p.At(ctx, next.Key)
	if err != nil || !found {
		return facts.Fact{}, false, err
	}
	return old, core.CurrentOrScheduled(old, p.Now), nil
}

// duplicate finds a current fact that makes the same claim in the same scope. A version of
// that fact is no duplicate if it adds something.
func (p *Planner) duplicate(ctx context.Context, next facts.Fact) (facts.Fact, bool, error) {
	hash := facts.ContentHash(next.Claim)
	same, found, err := p.find(ctx, core.LookupQuery{Hash: hash, Scope: next.Scope}, func(f facts.Fact) bool {
		return facts.ContentHash(f.Claim) == hash && f.Scope == next.Scope && core.VisibleOn(f, next.Branch) && f.StateAt(p.Now) == facts.Current
	})
	if err != nil || !found {
		return same, false, err
	}
	if next.Key == same.Key || next.Lineage == same.Lineage {
		return same, addsNothing(next, same), nil
	}
	return same, true, nil
}
