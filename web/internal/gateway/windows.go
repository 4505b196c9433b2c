package gateway

import (
	"context"

	"engram/memory"
	"engram/web/internal/wire"
)

// compactWindow is POST /context/compact.
func compactWindow(ctx context.Context, r *request) (any, error) {
	in, err := wire.Body[memory.CompactInput](r.Request)
	if err != nil {
		return nil, err
	}
	if in.Agent, err = r.agent(in.Agent); err != nil {
		return nil, err
	}
	return r.memory.Compact(ctx, in)
}

// packWindow is POST /context/pack.
func packWindow(ctx context.Context, r *request) (any, error) {
	in, err := wire.Body[memory.PackInput](r.Request)
	if err != nil {
		return nil, err
	}
	if in.Agent, err = r.agent(in.Agent); err != nil {
		return nil, err
	}
	return r.memory.Pack(ctx, in)
}
