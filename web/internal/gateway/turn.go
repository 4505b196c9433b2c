package gateway

import (
	"context"

	"engram/web/internal/wire"
)

// turnLeft is GET /turn: what is left of an agent's turn. A child sees its own, a
// parent that of any child.
func turnLeft(ctx context.Context, r *request) (any, error) {
	q, err := wire.Query[childQuery](r.Request)
	if err != nil {
		return nil, err
	}
	agent, err := r.agent("")
	if err != nil {
		return nil, err
	}
	if asked := q.Child; asked != "" && asked != agent {
		if !r.memory.MayLead(agent) {
			return nil, notYou()
		}
		agent = asked
	}
	return r.memory.Turn(ctx, agent)
}
