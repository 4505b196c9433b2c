package write

import (
	"context"
	"fmt"

	"engram/facts"
	"engram/gitstore"
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
