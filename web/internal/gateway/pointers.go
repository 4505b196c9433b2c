package gateway

import (
	"context"

	"engram/memory"
	"engram/web/internal/wire"
)

// derefRequest is the body of POST /pointer/deref.
type derefRequest struct {
	Pointer     memory.EngramPointer `json:"pointer"`
	BudgetToken string               `json:"budget_token,omitempty"`
	MaxTokens   int                  `json:"max_tokens,omitempty"`
	Agent       string               `json:"agent_id,omitempty"`
}

func derefPointer(ctx context.Context, r *request) (any, error) {
	in, err := wire.Body[derefRequest](r.Request)
	if err != nil {
		return nil, err
	}
	agent, err := r.agent(in.Agent)
	if err != nil {
		return nil, err
	}
	ref, err := wholeRef(in.Pointer)
	if err != nil {
		return nil, err
	}
	return r.memory.Deref(ctx, memory.DerefInput{
		Ref: ref, Digest: in.Pointer.Digest, MaxTokens: in.MaxTokens, Strict: true, Agent: agent, BudgetToken: in.BudgetToken,
	})
}
