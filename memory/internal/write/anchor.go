package write

import (
	"context"
	"errors"
	"fmt"

	"engram/facts"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
)

// anchor completes the pointers of drafts before they are written, and gives each the
// digest of its target:
//
//  1. A short form, or a reference into the repository without a commit: as by Complete. A missing target is an error for a short form, and a warning for a reference.
//  2. A whole reference gets its digest. A stated digest that differs from that of the target is rejected.
//  3. A whole reference to a target that is not in this repository stays as it is, with a warning.
//
// The warnings are by draft. Drafts without pointers cost nothing.
func (m *Writer) anchor(ctx context.Context, drafts []Draft) ([][]string, error) {
	warnings := make([][]string, len(drafts))
	var c *deref.Completer
	for i := range drafts {
		d := &drafts[i]
		if len(d.Fact.Pointers) == 0 || d.operation == facts.OpDelete || d.operation == facts.OpNone {
			continue
		}
		if c == nil {
			tip, err := m.Store.Tip(ctx)
			if err != nil {
				return nil, err
			}
			c = &deref.Completer{M: m.deref, Tip: tip}
		}
		c.Who.Agent = d.Fact.Provenance.Agent
		for j, p := range d.Fact.Pointers {
			anchored, said, err := c.Anchor(ctx, p)
			if err != nil {
				return nil, inputError(len(drafts), i, m.pointerError(j, err))
			}
			d.Fact.Pointers[j] = anchored
			for _, s := range said {
				warnings[i] = append(warnings[i], fmt.Sprintf("pointers[%d]: %s", j, s))
			}
		}
	}
	return warnings, nil
}

// pointerError names which of several pointers is at fault.
func (m *Writer) pointerError(j int, err error) error {
	_, advice := m.Classify(err)
	var usage *core.UsageError
	var nothing *core.NotFoundError
	if errors.As(err, &usage) || errors.As(err, &nothing) {
		return core.UsageErrorf(advice, "pointers[%d]: %w", j, err)
	}
	return fmt.Errorf("pointers[%d]: %w", j, err)
}

// couldNameCommit reports whether a standing fact has a pointer without a commit to a
// file for which a restatement of the fact has one.
func couldNameCommit(standing, again facts.Fact) bool {
	for _, p := range standing.Pointers {
		a, err := facts.ParseRef(p.Ref)
		if err != nil || !a.InRepository() || a.Commit != "" {
			continue
		}
		for _, q := range again.Pointers {
			if b, err := facts.ParseRef(q.Ref); err == nil && b.Commit != "" && b.Type == a.Type && b.Path == a.Path {
				return true
			}
		}
	}
	return false
}
