package write

import (
	"context"
	"errors"
	"fmt"
	"time"

	"engram/bus"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
	"engram/memory/internal/proof"
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

// ReverifyInput names the facts to verify again.
type ReverifyInput struct {
	// Keys are facts that somebody has checked: their pointers are renewed for what stands
	// there now. Without keys, all facts of Scope whose evidence moved are renewed.
	Keys  []string `json:"keys,omitempty"`
	Scope string   `json:"scope,omitempty"`
	Agent string   `json:"agent_id,omitempty"`
}

// ReverifyResult says what was committed.
type ReverifyResult struct {
	core.Answer
	Committed []CommitResult    `json:"committed"`
	Left      []proof.FactCheck `json:"left"` // named facts whose evidence is nowhere
}

// Reverify commits a new version of facts, with the same claim and with pointers to
// their evidence at HEAD, all in one commit:
//
//  1. Moved evidence: its new place.
//  2. Of facts that were named, drifted evidence too: what stands in its place.
//  3. Of these facts, evidence that is fresh or cannot be compared: the same place at HEAD.
//
// A fact that was not named is left alone if any of its evidence drifted, is missing, or
// moved to an uncertain place. The agent that verifies a fact becomes its agent, and a
// TTL starts again. Errors are those of Verify and CommitAll.
func (m *Writer) Reverify(ctx context.Context, in ReverifyInput) (ReverifyResult, error) {
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return ReverifyResult{}, err
	}
	result := ReverifyResult{Answer: core.AnswerAt(tip), Committed: []CommitResult{}, Left: []proof.FactCheck{}}
	c, err := m.proof.CheckerAt(ctx, tip, proof.HeadName)
	if err != nil {
		return result, err
	}
	if c.NoCode != "" {
		return result, core.UsageErrorf(hint.New("run it in a repository that has the code"), "nothing can be verified: %s", c.NoCode)
	}
	list, _, err := m.proof.FactsWithEvidence(ctx, tip, in.Keys, in.Scope, m.Reader(manifest, in.Agent))
	if err != nil {
		return result, err
	}
	var inputs []CommitInput
	for i, f := range list {
		m.Progress("verifying", i+1, len(list))
		pointers, left, err := c.Repoint(ctx, f, len(in.Keys) > 0)
		switch {
		case err != nil:
			return result, err
		case left != nil:
			result.Left = append(result.Left, *left)
		case pointers != nil:
			inputs = append(inputs, reverified(f, pointers, in.Agent))
		}
	}
	if len(inputs) == 0 {
		return result, nil
	}
	if result.Committed, err = m.CommitAll(ctx, inputs); err == nil {
		result.Answer = result.Committed[0].Answer
	}
	return result, err
}

// reverified states a fact again on new evidence. It inherits lineage and branch.
func reverified(f facts.Fact, pointers []core.Pointer, agent string) CommitInput {
	in := inputOf(f)
	in.Operation, in.Agent, in.Pointers = string(facts.OpUpdate), agent, pointers
	now := make(map[string]string)
	for i, p := range f.Pointers { // in the same order
		now[p.Ref] = pointers[i].Ref
	}
	in.Detail = bus.RepointFindings(f.Detail, now)
	in.Lineage, in.Branch, in.ValidFrom = "", "", time.Time{}
	if in.TTL != "" {
		in.ValidUntil = time.Time{}
	}
	return in
}
