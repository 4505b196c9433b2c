package mcp

import (
	"context"

	"engram/memory"
)

type lessRequestInput struct {
	Pointer lessPointer `json:"pointer" jsonschema:"what you want to read"`
	Reason  string      `json:"reason" jsonschema:"what you need it for, one sentence"`
	AgentID string      `json:"agent_id,omitempty" jsonschema:"your name, if it is not the client's"`
}

const lessRequestDescription = `Use it when you want to read more than your turn has room for, or before you know whether it has: it pulls nothing and costs nothing.

Returns room: true means less_deref_pointer will give it to you now. Otherwise request is the line for DEREF_REQUESTS in your message to the parent (less_submit_message), who may answer with a budget_token for less_deref_pointer. The request is recorded, without its reason.`

func addLessRequest(s *surface) {
	add(s, tool{name: "less_request_deref", title: "Ask to read behind a pointer", description: lessRequestDescription, repeatable: true}, lessRequest)
}

func lessRequest(ctx context.Context, c *call, in lessRequestInput) (memory.DerefAskResult, error) {
	sender, err := c.sender(in.AgentID)
	if err != nil {
		return memory.DerefAskResult{}, err
	}
	if _, err := in.Pointer.ref(); err != nil {
		return memory.DerefAskResult{}, err
	}
	return c.Memory.AskDeref(ctx, memory.DerefAsk{Pointer: in.Pointer.wire(), Reason: in.Reason, Agent: sender})
}
