package mcp

import (
	"context"

	"engram/memory"
)

type auditInput struct {
	All bool `json:"all,omitempty" jsonschema:"compare every fact again instead of those that changed; slow in a large memory"`
}

// auditOutput is what an audit found, in numbers: engram_conflicts shows it.
type auditOutput struct {
	memory.Answer
	Facts     int      `json:"facts" jsonschema:"facts that were held against others"`
	Pairs     int      `json:"pairs"`
	Tiers     []string `json:"tiers" jsonschema:"by what they were compared"`
	Opened    []string `json:"opened" jsonschema:"ids of conflicts that were found"`
	Closed    []string `json:"closed" jsonschema:"ids of conflicts that are no more"`
	Omitted   int      `json:"omitted" jsonschema:"ids left out because the token budget was used up"`
	Undecided int      `json:"undecided" jsonschema:"pairs left for the next audit"`
	Notes     []string `json:"notes,omitempty"`
	// NextPrompt is what the user should hear of it.
	NextPrompt string `json:"next_prompt,omitempty" jsonschema:"say this to the user"`
}

const auditDescription = `Compare facts that changed since the last audit with all others, and write down the contradictions. The server does this by itself in the background; call it when you need the answer now, such as after several commits, or when engram_status shows unaudited facts. It settles nothing.

Returns counts, and the ids of the conflicts that were opened or closed; engram_conflicts shows them.`

func addAudit(s *surface) {
	add(s, tool{name: "engram_audit", title: "Look for contradictions now", description: auditDescription, repeatable: true}, audit)
}

func audit(ctx context.Context, c *call, in auditInput) (auditOutput, error) {
	r, err := c.Memory.Audit(ctx, memory.AuditInput{All: in.All, Budget: c.AuditBudget})
	if err != nil {
		return auditOutput{}, err
	}
	out := auditOutput{Answer: r.Answer, Facts: r.Facts, Pairs: r.Pairs, Tiers: r.Tiers, Undecided: r.Undecided, Notes: r.Notes}
	var closed int
	out.Opened, _, out.Omitted = fit(idsOf(r.Opened), c.budgetOr(0)/2)
	out.Closed, _, closed = fit(idsOf(r.Closed), c.budgetOr(0)/2)
	out.Omitted += closed
	if len(r.Opened) > 0 {
		out.NextPrompt = counted(len(r.Opened), "new contradiction was", "new contradictions were") + " found in the team's memory. Shall we look at them (engram_conflicts)?"
	}
	return out, nil
}

func idsOf(list []memory.Conflict) []string {
	ids := make([]string, len(list))
	for i, c := range list {
		ids[i] = c.ConflictID
	}
	return ids
}
