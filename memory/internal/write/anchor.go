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
// digest of what stands there:
//
//  1. A short form, or a reference into the repository without a commit: as Complete.
//     Nothing there is an error for a short form, and a warning for a reference.
//  2. A whole reference: it gets its digest. A digest that was stated and is not that
//     of what stands there is refused.
//  3. A whole reference to what is not here, as in another repository: it stays as it
//     is, with a warning.
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
			anchored, said, err := c.Anchored(ctx, p)
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

// couldNameCommit reports whether a fact that stands has a pointer without a commit to a
// file for which a restatement of it has one.
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
