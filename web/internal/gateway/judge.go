package gateway

import (
	"context"

	"engram/memory"
	"engram/web/internal/wire"
)

// judgePairs is POST /judge: verdicts on pairs of facts.
func judgePairs(ctx context.Context, r *request) (any, error) {
	in, err := wire.Body[memory.JudgeInput](r.Request)
	if err != nil {
		return nil, err
	}
	if in.Agent, err = r.agent(in.Agent); err != nil {
		return nil, err
	}
	return r.memory.Judge(ctx, in)
}

// undecidedPairs is GET /undecided: the pairs that nobody has judged.
func undecidedPairs(ctx context.Context, r *request) (any, error) {
	in, err := wire.Query[memory.UndecidedInput](r.Request, "limit")
	if err != nil {
		return nil, err
	}
	if in.AskedBy, err = r.agent(""); err != nil {
		return nil, err
	}
	return r.memory.Undecided(ctx, in)
}
