package web

import (
	"context"
	"net/http"

	"engram/memory"
)

// putEngram is POST /engram: seed 1 §6.1. 201 is a new engram, 200 one that stood
// already, 202 one that waits for a review.
func putEngram(ctx context.Context, r *request) (int, any, error) {
	in, err := decode[memory.PutInput](r)
	if err != nil {
		return 0, nil, err
	}
	stated := ""
	if in.Provenance != nil {
		stated = in.Provenance.CreatedBy
	}
	if in.Agent, err = r.agent(stated); err != nil {
		return 0, nil, err
	}
	result, err := r.memory.PutEngram(ctx, in)
	return writtenStatus(result.Commit), result, err
}

func writtenStatus(c memory.CommitResult) int {
	switch {
	case c.Duplicate:
		return http.StatusOK
	case c.Proposed:
		return http.StatusAccepted
	}
	return http.StatusCreated
}

// queryEngrams is GET /engram/query: by hash keys, or by a question.
func queryEngrams(ctx context.Context, r *request) (int, any, error) {
	p, err := r.params("keys", "q", "k", "kind", "reach", "scope")
	if err != nil {
		return 0, nil, err
	}
	return r.findEngrams(ctx, p, memory.EngramQuery{Keys: p.list("keys"), Text: p["q"]})
}

// queryByEmbedding is GET /engram/query_by_embedding: what is near a fact by meaning.
func queryByEmbedding(ctx context.Context, r *request) (int, any, error) {
	p, err := r.params("embedding_ref", "k", "kind", "reach", "scope")
	if err != nil {
		return 0, nil, err
	}
	if p["embedding_ref"] == "" {
		return 0, nil, badRequest("embedding_ref is missing", "it is the id or key of a fact")
	}
	return r.findEngrams(ctx, p, memory.EngramQuery{Near: p["embedding_ref"]})
}

func (r *request) findEngrams(ctx context.Context, p params, in memory.EngramQuery) (int, any, error) {
	var err error
	if in.K, err = p.number("k"); err != nil {
		return 0, nil, err
	}
	if in.AskedBy, err = r.agent(""); err != nil {
		return 0, nil, err
	}
	in.Kind, in.Reach, in.Scope = p["kind"], p["reach"], p["scope"]
	result, err := r.memory.QueryEngrams(ctx, in)
	return http.StatusOK, result, err
}

// getEngram is GET /engram/{id}: one by its id or key.
func getEngram(ctx context.Context, r *request) (int, any, error) {
	if _, err := r.params(); err != nil {
		return 0, nil, err
	}
	agent, err := r.agent("")
	if err != nil {
		return 0, nil, err
	}
	result, err := r.memory.GetEngram(ctx, r.PathValue("id"), agent)
	return http.StatusOK, result, err
}

// deleteEngram is DELETE /engram/{id}: its end. It stays in the history.
func deleteEngram(ctx context.Context, r *request) (int, any, error) {
	if _, err := r.params(); err != nil {
		return 0, nil, err
	}
	agent, err := r.agent("")
	if err != nil {
		return 0, nil, err
	}
	result, err := r.memory.DeleteEngram(ctx, r.PathValue("id"), agent)
	return http.StatusOK, result, err
}
