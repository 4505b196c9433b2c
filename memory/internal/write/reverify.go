package write

import (
	"context"
	"time"

	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

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
	in.Lineage, in.Branch, in.ValidFrom = "", "", time.Time{}
	if in.TTL != "" {
		in.ValidUntil = time.Time{}
	}
	return in
}
