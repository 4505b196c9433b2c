// Package bus is the profile of that name: what agents exchange under budgets, and the
// message that ends a turn.
package bus

import (
	"engram/facts"
	"engram/mcp/internal/tool"
	"engram/memory"
)

// Add gives a server the tools, named less_ after the skill that uses them.
func Add(s *tool.Server) {
	addPut(s)
	addQuery(s)
	addRequest(s)
	addDeref(s)
	addGrant(s)
	addSubmit(s)
}

// sender is the agent that speaks on the bus, where budgets apply to everybody: a caller
// without a name is rejected.
func sender(c *tool.Call, stated string) (string, error) {
	agent, err := c.Author(stated)
	if err == nil && agent == "" {
		err = tool.Reject("the caller has no name, and budgets belong to agents", "name yourself in agent_id")
	}
	return agent, err
}

// ref is the reference of a pointer, whose type has to agree with it.
func ref(p memory.EngramPointer) (string, error) {
	a, err := facts.ParseRef(p.Ref)
	if err != nil {
		return "", tool.Reject("pointer.ref: "+err.Error(), "write it as repo:internal/auth.go#L12-L40@COMMIT")
	}
	if p.Type != string(a.Type) {
		return "", tool.Reject("pointer.type is not what its ref begins with", "write type as "+string(a.Type))
	}
	return p.Ref, nil
}

// Instructions follow the core ones if the profile is on; together they have at most
// 2 KiB.
const Instructions = `

Under budgets (less_ tools): less_query_engrams before you read files; less_deref_pointer pulls an excerpt; beyond the turn, less_request_deref says what to ask the parent; less_put_engram, not engram_commit, states a finding with pointers; less_submit_message ends your turn. Refused: send what it offers.`
