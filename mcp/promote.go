package mcp

import (
	"context"

	"engram/memory"
)

type promoteInput struct {
	Key     string `json:"key" jsonschema:"of the ephemeral fact"`
	AgentID string `json:"agent_id,omitempty" jsonschema:"your name, if it is not the client's"`
}

const promoteDescription = `Make an ephemeral fact durable: a new version without a time to live. Use it when a scratch note (durability=ephemeral) has proved right and others will need it; two questions that find it promote it by themselves. Not for facts bound to a code branch: these hold for all when the branch merges.

Returns what engram_commit returns; duplicate: true means that it was durable already.`

func addPromote(s *surface) {
	add(s, tool{name: "engram_promote", title: "Make a scratch fact durable", description: promoteDescription, repeatable: true}, promote)
}

func promote(ctx context.Context, c *call, in promoteInput) (memory.CommitResult, error) {
	author, err := c.author(in.AgentID)
	if err != nil {
		return memory.CommitResult{}, err
	}
	return c.Memory.Promote(ctx, in.Key, author)
}
