package bus

import (
	"context"

	"engram/mcp/internal/tool"
	"engram/memory"
)

type submitInput struct {
	memory.MessageInput
	Message string `json:"message" help:"the whole message, as YAML or JSON"`
	AgentID string `json:"agent_id,omitempty" help:"your name, if it is not the client's"`
}

const submitDescription = `Use it to hand your work to the parent. It checks the message, stores its engrams, all or none, and ends your turn: your budget for reading starts afresh.

The message is YAML with ROLE, TASK_STATUS, ENGRAMS (each with kind, claim, confidence, ttl, scope, pointers), and optionally POINTER_PACK, DEREF_REQUESTS (pointer and reason), OUTPUT (summary, next). At most 800 tokens and 12 engrams, unless configured otherwise; no code, no pasted text: pointers instead.

A message that holds too much is refused (BUDGET_EXCEEDED), with the limits it exceeded and, if possible, the whole message in a form that complies: send that. Nothing is stored then.

Returns verdict, and engrams as they were stored, with their ids.`

func addSubmit(s *tool.Server) {
	tool.Add(s, tool.Spec{Name: "less_submit_message", Title: "Hand your work to the parent", Description: submitDescription, Takes: "message budget_tokens agent_id"}, submit)
}

func submit(ctx context.Context, c *tool.Call, in submitInput) (memory.SubmitResult, error) {
	asked := in.MessageInput
	var err error
	if asked.Agent, err = sender(c, in.AgentID); err != nil {
		return memory.SubmitResult{}, err
	}
	asked.Text = []byte(in.Message)
	result, err := c.Memory.Submit(ctx, asked)
	if err == nil && !result.Verdict.OK {
		err = &tool.RefusedMessage{Verdict: result.Verdict}
	}
	return result, err
}
