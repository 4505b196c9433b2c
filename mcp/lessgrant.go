package mcp

import (
	"context"

	"engram/memory"
)

type lessGrantInput struct {
	Child     string      `json:"child" jsonschema:"the agent that may use it"`
	Pointer   lessPointer `json:"pointer" jsonschema:"what it may read"`
	Prefix    bool        `json:"prefix,omitempty" jsonschema:"everything whose ref begins with the pointer's"`
	Purpose   string      `json:"purpose,omitempty" jsonschema:"deref: to pull excerpts (default); inline: to have code in messages"`
	CapTokens int         `json:"cap_tokens,omitempty" jsonschema:"tokens of all uses together (default 500); characters for inline"`
	Uses      int         `json:"uses,omitempty" jsonschema:"how often it is good (default 1)"`
	Lifetime  string      `json:"lifetime,omitempty" jsonschema:"how long: PT1H (default), or 1h; at most P30D"`
	PassOn    bool        `json:"pass_on,omitempty" jsonschema:"the child may make narrower grants out of it"`
	From      string      `json:"from,omitempty" jsonschema:"budget_token that this grant is made out of"`
	AgentID   string      `json:"agent_id,omitempty" jsonschema:"your name, if it is not the client's"`
}

const lessGrantDescription = `Use it as the parent of a task, when a child asks in DEREF_REQUESTS for text beyond its budget and you agree that it needs it. Children cannot call it: they ask with less_request_deref. Who is a parent is configured (bus.parents).

Grant the narrowest pointer and the smallest cap that do. A grant is for one child and one purpose; send its budget_token to that child in GRANTS.

Returns budget_token, and grant with its id, cap, uses and when it expires.`

func addLessGrant(s *surface) {
	add(s, tool{
		name: "less_issue_grant", title: "Let a child read more", description: lessGrantDescription,
		enums: map[string][]string{"purpose": {"deref", "inline"}},
	}, lessGrant)
}

func lessGrant(ctx context.Context, c *call, in lessGrantInput) (memory.GrantResult, error) {
	sender, err := c.sender(in.AgentID)
	if err != nil {
		return memory.GrantResult{}, err
	}
	asked := memory.GrantInput{
		Parent: sender, Child: in.Child, Purpose: in.Purpose, Pointer: in.Pointer.Ref, Prefix: in.Prefix,
		Cap: in.CapTokens, Uses: in.Uses, PassOn: in.PassOn, From: in.From, Strict: true,
	}
	if in.Pointer.Ref != "" {
		if err := memory.CheckGranted(in.Pointer.wire(), in.Prefix); err != nil {
			return memory.GrantResult{}, &argumentError{err.Error(), "type is what the ref begins with; omit span"}
		}
	}
	if asked.Lifetime, err = memory.ParseLifetime(in.Lifetime); err != nil {
		return memory.GrantResult{}, err
	}
	return c.Memory.IssueGrant(ctx, asked)
}
