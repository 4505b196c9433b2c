package web

import (
	"context"
	"net/http"

	"engram/memory"
)

// derefRequest is the body of POST /pointer/deref (seed 1 §6.2).
type derefRequest struct {
	Pointer     memory.EngramPointer `json:"pointer"`
	BudgetToken string               `json:"budget_token,omitempty"`
	MaxTokens   int                  `json:"max_tokens,omitempty"`
	Agent       string               `json:"agent_id,omitempty"`
}

func derefPointer(ctx context.Context, r *request) (int, any, error) {
	in, err := decode[derefRequest](r)
	if err != nil {
		return 0, nil, err
	}
	agent, err := r.agent(in.Agent)
	if err != nil {
		return 0, nil, err
	}
	ref, err := wholeRef(in.Pointer)
	if err != nil {
		return 0, nil, err
	}
	result, err := r.memory.Deref(ctx, memory.DerefInput{
		Ref: ref, Digest: in.Pointer.Digest, MaxTokens: in.MaxTokens, Strict: true, Agent: agent, BudgetToken: in.BudgetToken,
	})
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, result, nil
}
