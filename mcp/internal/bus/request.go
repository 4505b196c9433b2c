package bus

import (
	"context"

	"engram/mcp/internal/tool"
	"engram/memory"
)

const requestDescription = `Use it when you want to read more than your turn has room for, or before you know whether it has: it pulls nothing and costs nothing.

Returns room: true means less_deref_pointer will give it to you now. Otherwise request is the line for DEREF_REQUESTS in your message to the parent (less_submit_message), who may answer with a budget_token for less_deref_pointer. The request is recorded, without its reason.`

func addRequest(s *tool.Server) {
	tool.Add(s, tool.Spec{Name: "less_request_deref", Title: "Ask to read behind a pointer", Description: requestDescription, Repeatable: true}, request)
}

func request(ctx context.Context, c *tool.Call, in memory.DerefAsk) (memory.DerefAskResult, error) {
	var err error
	if in.Agent, err = sender(c, in.Agent); err != nil {
		return memory.DerefAskResult{}, err
	}
	if _, err := ref(in.Pointer); err != nil {
		return memory.DerefAskResult{}, err
	}
	return c.Memory.AskDeref(ctx, in)
}
