package write

import (
	"context"
	"fmt"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// Binder resolves the branch that drafts are bound to. It serves one request.
type Binder struct {
	m     *Writer
	trunk *gitstore.Trunk // read at the first use
}

// NewBinder returns a Binder.
func (m *Writer) NewBinder() *Binder { return &Binder{m: m} }

// Bind replaces the branch that a draft names by its full name, and rejects branches that
// facts cannot be bound to.
func (b *Binder) Bind(ctx context.Context, d *Draft) (err error) {
	if d.Fact.Branch == "" || d.restored {
		return nil
	}
	if d.operation == facts.OpDelete {
		return core.UsageErrorf(hint.Hint{}, "to retire a bound fact, name its key and no branch")
	}
	d.Fact.Branch, err = b.branch(ctx, d.Fact.Branch)
	return err
}

// branch is the name of a branch that facts can be bound to.
func (b *Binder) branch(ctx context.Context, name string) (string, error) {
	if name == core.CurrentBranch {
		if name = b.m.Store.CodeBranch(); name == "" {
			return "", fmt.Errorf("%w: HEAD is not on a branch of code", core.ErrNoCodeBranch)
		}
	}
	if b.m.Store.MemoryBranch(name) {
		return "", fmt.Errorf("%w: %s is a branch of the memory", core.ErrNoCodeBranch, name)
	}
	if b.trunk == nil {
		t, err := b.m.Trunk(ctx)
		if err != nil {
			return "", err
		}
		b.trunk = &t
	}
	if name == b.trunk.Name {
		return "", fmt.Errorf("%w: %s is what work is merged into", core.ErrOnTrunk, name)
	}
	return name, nil
}

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
