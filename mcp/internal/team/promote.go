package team

import (
	"context"

	"engram/mcp/internal/tool"
	"engram/memory"
)

type promoteInput struct {
	Key     string `json:"key" help:"of the ephemeral fact"`
	AgentID string `json:"agent_id,omitempty" help:"your name, if it is not the client's"`
}

const promoteDescription = `Make an ephemeral fact durable: a new version without a time to live. Use it when a scratch note (durability=ephemeral) has proved right and others will need it; two questions that find it promote it by themselves. Not for facts bound to a code branch: these hold for all when the branch merges.

Returns what engram_commit returns; duplicate: true means that it was durable already.`

func addPromote(s *tool.Server) {
	tool.Add(s, tool.Spec{Name: "engram_promote", Title: "Make a scratch fact durable", Description: promoteDescription, Repeatable: true}, promote)
}

func promote(ctx context.Context, c *tool.Call, in promoteInput) (memory.CommitResult, error) {
	author, err := c.Author(in.AgentID)
	if err != nil {
		return memory.CommitResult{}, err
	}
	return c.Memory.Promote(ctx, in.Key, author)
}
