package gateway

import (
	"context"

	"engram/memory"
	"engram/web/internal/wire"
)

// factsSince is GET /facts/since: what other memories read.
func factsSince(ctx context.Context, r *request) (any, error) {
	in, err := wire.Query[memory.SinceInput](r.Request, "after", "scope", "limit")
	if err != nil {
		return nil, err
	}
	if in.AskedBy, err = r.agent(""); err != nil {
		return nil, err
	}
	return r.memory.FactsSince(ctx, in)
}
