package tool

import (
	"cmp"
	"slices"
	"strings"

	"engram/memory"
)

// busTools are the tools, besides the less_ tools, that agents other than parents may
// call if the profile bus is on. The others would bypass evidence and budgets. A recall is
// among them because a child's window is compacted as a parent's is; it has its own budget,
// and gives what the child may see. A report keeps to the budget of a message.
var busTools = []string{"engram_status", "engram_query", "engram_conflicts", "engram_get", "engram_recall", "engram_report"}

// Budgeted reports whether the rules of the bus apply to the caller. If the profile is
// on, they apply to all agents but parents, by the connection's name and not by one that
// a call states. A caller without a name is not taken for a person there.
func (c *Call) Budgeted() bool {
	return c.Server.Has("bus") && (c.Caller == "" || !c.Memory.MayLead(c.Caller))
}

// mayCall rejects a tool that bypasses the rules of the bus, if they apply.
func (c *Call) mayCall(tool string) error {
	if !c.Budgeted() || strings.HasPrefix(tool, "less_") || slices.Contains(busTools, tool) {
		return nil
	}
	return Reject(tool+" is for parents if the profile bus is on, and "+cmp.Or(c.Caller, "a caller without a name")+" is not one (bus.parents)",
		"state a claim with less_put_engram, hand work over with less_submit_message, read with less_deref_pointer")
}

// WithoutDetail removes from a fact what a query does not show: reading longer texts
// costs budget.
func WithoutDetail(r *memory.FactResult) {
	f := &r.Fact
	if f.Detail == "" && f.Evidence == "" {
		return
	}
	f.Detail, f.Evidence = "", ""
	r.Notes = append(r.Notes, "detail and evidence are read by less_deref_pointer, on the turn's budget: sam:"+f.Key.String()+"@"+f.FactID)
}
