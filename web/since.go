package web

import (
	"context"
	"net/http"

	"engram/memory"
)

// factsSince is GET /facts/since: the federation read of seed 4.
func factsSince(ctx context.Context, r *request) (int, any, error) {
	p, err := r.params("after", "scope", "limit")
	if err != nil {
		return 0, nil, err
	}
	in := memory.SinceInput{Scope: p["scope"]}
	if in.After, err = p.moment("after"); err != nil {
		return 0, nil, err
	}
	if in.Limit, err = p.number("limit"); err != nil {
		return 0, nil, err
	}
	if in.AskedBy, err = r.agent(""); err != nil {
		return 0, nil, err
	}
	result, err := r.memory.FactsSince(ctx, in)
	return http.StatusOK, result, err
}
