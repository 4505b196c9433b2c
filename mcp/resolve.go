package mcp

import (
	"context"

	"engram/memory"
)

type resolveInput struct {
	ConflictID     string `json:"conflict_id" jsonschema:"of engram_conflicts; its first digits are enough"`
	ResolutionType string `json:"resolution_type" jsonschema:"winner: one claim is right; merge: a third says what holds; dismissed: no contradiction; last-writer and higher-confidence: by rule"`
	Resolution     string `json:"resolution" jsonschema:"why this is right, for people to read later"`
	WinningClaimID string `json:"winning_claim_id,omitempty" jsonschema:"for winner: the fact_id or key that stands, or a or b"`
	MergedClaim    string `json:"merged_claim,omitempty" jsonschema:"for merge: what holds; it is written as a new fact"`
	MergedKey      string `json:"merged_key,omitempty" jsonschema:"for merge: the key of a fact that you committed before, instead of merged_claim"`
	Evidence       string `json:"evidence,omitempty" jsonschema:"what shows it: path:line, test output"`
	AgentID        string `json:"agent_id,omitempty" jsonschema:"your name, if it is not the client's"`
}

const resolveDescription = `Settle a disagreement between two claims, for the whole team. Only with evidence from the code or a decision of the user; never to tidy up.

resolution_type:
- winner: one claim is right. Pass winning_claim_id; the other's window of validity closes. It stays in history.
- merge: both are partly right. Pass merged_claim with what holds (or commit it first and pass merged_key); the windows of both close.
- dismissed: they do not contradict each other. Both stand. This teaches later detection, so do not use it to silence a real conflict.
- last-writer, higher-confidence: the later, or more confident, claim stands. Only where the user wants that rule.

Call engram_conflicts first: the id names two exact versions, and the call is refused if either has changed since or the conflict is settled already.

Returns resolved, conflict_id, resolution_type, winning_claim_id, closed (keys whose window closed), merged_key.`

func addResolve(s *surface) {
	add(s, tool{
		name: "engram_resolve", title: "Settle a contradiction", description: resolveDescription, repeatable: true,
		enums: map[string][]string{"resolution_type": memory.Resolutions()}, fields: resolveFields(),
	}, resolve)
}

func resolve(ctx context.Context, c *call, in resolveInput) (memory.ResolveResult, error) {
	author, err := c.author(in.AgentID)
	if err != nil {
		return memory.ResolveResult{}, err
	}
	result, err := c.Memory.Resolve(ctx, memory.ResolveInput{
		ConflictID: in.ConflictID, How: in.ResolutionType, Reason: in.Resolution, Winner: in.WinningClaimID,
		Merged: in.MergedKey, MergedClaim: in.MergedClaim, Agent: author, Evidence: in.Evidence,
	})
	return result, err
}
