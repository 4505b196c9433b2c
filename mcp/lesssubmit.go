package mcp

import (
	"context"

	"engram/memory"
)

type lessSubmitInput struct {
	Message      string   `json:"message" jsonschema:"the whole message, as YAML or JSON"`
	BudgetTokens []string `json:"budget_tokens,omitempty" jsonschema:"grants for code in it"`
	AgentID      string   `json:"agent_id,omitempty" jsonschema:"your name, if it is not the client's"`
}

const lessSubmitDescription = `Use it to hand your work to the parent. It checks the message, stores its engrams, all or none, and ends your turn: your budget for reading begins anew.

The message is YAML with ROLE, TASK_STATUS, ENGRAMS (each with kind, claim, confidence, ttl, scope, pointers), and optionally POINTER_PACK, DEREF_REQUESTS (pointer and reason), OUTPUT (summary, next). At most 800 tokens and 12 engrams, unless configured otherwise; no code, no pasted text: pointers instead.

A message that holds too much is refused (BUDGET_EXCEEDED), with the limits it passed and, where it can be made, the whole message in a form that complies: send that. Nothing is stored then.

Returns verdict, and engrams as they were stored, with their ids.`

func addLessSubmit(s *surface) {
	add(s, tool{name: "less_submit_message", title: "Hand your work to the parent", description: lessSubmitDescription}, lessSubmit)
}

func lessSubmit(ctx context.Context, c *call, in lessSubmitInput) (memory.SubmitResult, error) {
	sender, err := c.sender(in.AgentID)
	if err != nil {
		return memory.SubmitResult{}, err
	}
	result, err := c.Memory.Submit(ctx, memory.MessageInput{Text: []byte(in.Message), Agent: sender, BudgetTokens: in.BudgetTokens})
	if err == nil && !result.Verdict.OK {
		err = &refusedMessage{result.Verdict}
	}
	return result, err
}
