package mcp

import (
	"slices"
	"strings"

	"engram/memory"
)

// busTools are, beside the less_ tools, what agents that are no parents may call where
// the profile bus is on: whatever else there is would go round evidence and budgets.
var busTools = []string{"engram_status", "engram_query", "engram_conflicts", "engram_get"}

// budgeted reports whether the rules of the bus hold for who calls: where the profile is
// on, for all agents but parents, by the name of the connection and not by one that a
// call states. Nobody is a person there.
func (c *call) budgeted() bool {
	return c.surface.has("bus") && (c.agent == "" || !c.Memory.MayLead(c.agent))
}

// mayCall refuses, where the rules of the bus hold, a tool that goes round them.
func (c *call) mayCall(tool string) error {
	if !c.budgeted() || strings.HasPrefix(tool, "less_") || slices.Contains(busTools, tool) {
		return nil
	}
	return &argumentError{tool + " is for parents where the profile bus is on, and " + orNobody(c.agent) + " is none (bus.parents)",
		"state a claim with less_put_engram, hand work over with less_submit_message, read with less_deref_pointer"}
}

func orNobody(agent string) string {
	if agent == "" {
		return "a caller without a name"
	}
	return agent
}

// withoutDetail leaves of a fact what a query may show, too: texts that are pulled are
// paid for.
func withoutDetail(r *memory.FactResult) {
	f := &r.Fact
	if f.Detail == "" && f.Evidence == "" {
		return
	}
	f.Detail, f.Evidence = "", ""
	r.Notes = append(r.Notes, "detail and evidence are read by less_deref_pointer, on the turn's budget: sam:"+f.Key.String()+"@"+f.FactID)
}
