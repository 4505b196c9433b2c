package gateway

import (
	"context"
	"net/http"

	"engram/memory"
	"engram/web/internal/wire"
)

// putEngram is POST /engram. 201 is a new engram, 200 one that stood
// already, 202 one that waits for a review.
func putEngram(ctx context.Context, r *request) (any, error) {
	in, err := wire.Body[memory.PutInput](r.Request)
	if err != nil {
		return nil, err
	}
	stated := ""
	if in.Provenance != nil {
		stated = in.Provenance.CreatedBy
	}
	if in.Agent, err = r.agent(stated); err != nil {
		return nil, err
	}
	result, err := r.memory.PutEngram(ctx, in)
	return created{writtenStatus(result.Commit), result}, err
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
func queryEngrams(ctx context.Context, r *request) (any, error) {
	return r.findEngrams(ctx, "keys", "text", "k", "kind", "reach", "scope")
}

// queryByEmbedding is GET /engram/query_by_embedding: what is near a fact by meaning.
func queryByEmbedding(ctx context.Context, r *request) (any, error) {
	if r.URL.Query().Get("embedding_ref") == "" {
		return nil, wire.BadRequest("embedding_ref is missing", "it is the id or key of a fact")
	}
	return r.findEngrams(ctx, "near", "k", "kind", "reach", "scope")
}

// findEngrams answers a query with parameters for the named fields of its input.
func (r *request) findEngrams(ctx context.Context, names ...string) (any, error) {
	in, err := wire.Query[memory.EngramQuery](r.Request, names...)
	if err != nil {
		return nil, err
	}
	if in.AskedBy, err = r.agent(""); err != nil {
		return nil, err
	}
	return r.memory.QueryEngrams(ctx, in)
}
