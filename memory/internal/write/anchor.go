package write

import (
	"context"
	"errors"
	"fmt"

	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
	"engram/memory/internal/proof"
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
	var nothing *core.AbsentError
	if errors.As(err, &usage) || errors.As(err, &nothing) {
		return core.Wrong(advice, "pointers[%d]: %w", j, err)
	}
	return fmt.Errorf("pointers[%d]: %w", j, err)
}

// ReverifyInput says which facts still hold.
type ReverifyInput struct {
	// Keys are facts that somebody looked at and that still hold: their pointers are made
	// anew for what stands there now. None: all whose evidence moved, of Scope.
	Keys  []string `json:"keys,omitempty"`
	Scope string   `json:"scope,omitempty"`
	Agent string   `json:"agent_id,omitempty"`
}

// ReverifyResult says what was committed.
type ReverifyResult struct {
	core.Answer
	Committed []CommitResult    `json:"committed"`
	Left      []proof.FactCheck `json:"left"` // named, and without any place where the evidence could be
}

// Reverify commits a new version of facts, with the same claim and with pointers to
// where their evidence stands at HEAD now, all in one commit:
//
//  1. Of what moved: where it is.
//  2. Of facts that were named, what drifted as well: what stands in its place.
//  3. Of these, what is fresh or cannot be compared: the same place at HEAD.
//
// Facts that were not named and of which anything drifted or is missing are left alone,
// and those of which it is not sure where they moved.
// Who verifies a fact is its agent from then on; a TTL begins anew. Errors are those of
// Verify and of CommitAll.
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
		return result, core.Wrong(hint.New("run it in a repository that has the code"), "nothing can be verified: %s", c.NoCode)
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

// reverified states a fact again on new evidence. The rest is inherited.
func reverified(f facts.Fact, pointers []core.Pointer, agent string) CommitInput {
	in := CommitInput{
		Claim: f.Claim, Detail: f.Detail, Key: f.Key.String(), Operation: string(facts.OpUpdate), Agent: agent,
		Confidence: f.Confidence, Pointers: pointers, Evidence: f.Provenance.Evidence, TTL: f.TTL,
		Durability: string(f.Durability), Source: string(f.Provenance.Source),
	}
	if f.TTL == "" {
		in.ValidUntil = f.ValidUntil
	}
	return in
}
