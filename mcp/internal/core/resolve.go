package core

import (
	"context"

	"engram/mcp/internal/tool"
	"engram/memory"
)

const resolveDescription = `Settle a disagreement between two claims, for the whole team. Only with evidence from the code or a decision of the user; never to tidy up.

resolution_type:
- winner: one claim is right. Pass winning_claim_id; the other's window of validity closes. It stays in history.
- merge: both are partly right. Pass merged_claim with what holds (or commit it first and pass merged_key); the windows of both close.
- dismissed: they do not contradict each other. Both stand. This teaches later detection, so do not use it to silence a real conflict.
- last-writer, higher-confidence: the later, or more confident, claim stands. Only if the user wants that rule.

Call engram_conflicts first: the id names two exact versions, and the call is refused if either has changed since or the conflict is settled already.

Returns resolved, conflict_id, resolution_type, winning_claim_id, closed (keys whose window closed), merged_key.`

func addResolve(s *tool.Server) {
	tool.Add(s, tool.Spec{
		Name: "engram_resolve", Title: "Settle a contradiction", Description: resolveDescription, Repeatable: true,
		Takes: "conflict_id resolution_type resolution winning_claim_id merged_claim merged_key evidence agent_id",
		Fields: tool.Fields{
			"claim": "merged_claim", "reason": "resolution", "agent": "agent_id", "provenance.agent": "agent_id", "provenance.evidence": "evidence",
		},
	}, resolve)
}

func resolve(ctx context.Context, c *tool.Call, in memory.ResolveInput) (result memory.ResolveResult, err error) {
	if in.Agent, err = c.Author(in.Agent); err != nil {
		return result, err
	}
	result, err = c.Memory.Resolve(ctx, in)
	return result, err
}
