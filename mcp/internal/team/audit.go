package team

import (
	"context"

	"engram/mcp/internal/core"
	"engram/mcp/internal/tool"
	"engram/memory"
)

// auditOutput is what an audit found, in numbers: engram_conflicts shows it.
type auditOutput struct {
	memory.Answer
	Facts      int      `json:"facts" jsonschema:"facts that were compared with others"`
	Pairs      int      `json:"pairs"`
	Tiers      []string `json:"tiers" jsonschema:"by what they were compared"`
	Opened     []string `json:"opened" jsonschema:"ids of conflicts that were found"`
	Closed     []string `json:"closed" jsonschema:"ids of conflicts that no longer exist"`
	Omitted    int      `json:"omitted" jsonschema:"ids left out because the token budget was used up"`
	Undecided  int      `json:"undecided" jsonschema:"pairs left for the next audit"`
	Notes      []string `json:"notes,omitempty"`
	NextPrompt string   `json:"next_prompt,omitempty" jsonschema:"say this to the user"`
}

const auditDescription = `Compare facts that changed since the last audit with all others, and write down the contradictions. The server does this by itself in the background; call it when you need the answer now, such as after several commits, or when engram_status shows unaudited facts. It settles nothing.

Returns counts, and the ids of the conflicts that were opened or closed; engram_conflicts shows them.`

func addAudit(s *tool.Server) {
	tool.Add(s, tool.Spec{Name: "engram_audit", Title: "Look for contradictions now", Description: auditDescription, Repeatable: true, Takes: "all"}, audit)
}

func audit(ctx context.Context, c *tool.Call, in memory.AuditInput) (auditOutput, error) {
	in.Budget, in.AskedBy = c.AuditBudget, c.Caller
	r, err := c.Memory.Audit(ctx, in)
	if err != nil {
		return auditOutput{}, err
	}
	out := auditOutput{Answer: r.Answer, Facts: r.Facts, Pairs: r.Pairs, Tiers: r.Tiers, Undecided: r.Undecided, Notes: r.Notes}
	var closed int
	out.Opened, _, out.Omitted = tool.Fit(idsOf(r.Opened), c.BudgetOr(0)/2)
	out.Closed, _, closed = tool.Fit(idsOf(r.Closed), c.BudgetOr(0)/2)
	out.Omitted += closed
	out.NextPrompt = core.FoundNews(len(r.Opened))
	return out, nil
}

func idsOf(list []memory.Conflict) []string {
	ids := make([]string, len(list))
	for i, c := range list {
		ids[i] = c.ConflictID
	}
	return ids
}
