package bus

import (
	"context"

	"engram/mcp/internal/tool"
	"engram/memory"
)

type grantInput struct {
	memory.GrantInput
	Pointer  memory.EngramPointer `json:"pointer" help:"what it may read"`
	Lifetime string               `json:"lifetime,omitempty" help:"how long: PT1H (default), or 1h; at most P30D"`
	AgentID  string               `json:"agent_id,omitempty" help:"your name, if it is not the client's"`
}

const grantDescription = `Use it as the parent of a task, when a child asks in DEREF_REQUESTS for text beyond its budget and you agree that it needs it. Children cannot call it: they ask with less_request_deref. Who is a parent is configured (bus.parents).

Grant the narrowest pointer and the smallest cap that do. A grant is for one child and one purpose; send its budget_token to that child in GRANTS.

Returns budget_token, and grant with its id, cap, uses and when it expires.`

func addGrant(s *tool.Server) {
	tool.Add(s, tool.Spec{
		Name: "less_issue_grant", Title: "Let a child read more", Description: grantDescription,
		Takes: "child pointer prefix purpose cap_tokens uses lifetime pass_on from agent_id",
	}, grant)
}

func grant(ctx context.Context, c *tool.Call, in grantInput) (memory.GrantResult, error) {
	asked := in.GrantInput
	var err error
	if asked.Parent, err = sender(c, in.AgentID); err != nil {
		return memory.GrantResult{}, err
	}
	asked.Pointer, asked.Strict = in.Pointer.Ref, true
	if in.Pointer.Ref != "" {
		if err := memory.CheckGranted(in.Pointer, in.Prefix); err != nil {
			return memory.GrantResult{}, tool.Reject(err.Error(), "type is what the ref begins with; omit span")
		}
	}
	if asked.Lifetime, err = memory.ParseLifetime(in.Lifetime); err != nil {
		return memory.GrantResult{}, err
	}
	return c.Memory.IssueGrant(ctx, asked)
}
