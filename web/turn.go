package web

import (
	"context"
	"net/http"
)

// turnLeft is GET /turn: what is left of an agent's turn. A child sees its own, a
// parent that of any child.
func turnLeft(ctx context.Context, r *request) (int, any, error) {
	p, err := r.params("child")
	if err != nil {
		return 0, nil, err
	}
	agent, err := r.agent("")
	if err != nil {
		return 0, nil, err
	}
	if asked := p["child"]; asked != "" && asked != agent {
		if !r.memory.MayLead(agent) {
			return 0, nil, notYou()
		}
		agent = asked
	}
	result, err := r.memory.Turn(ctx, agent)
	return http.StatusOK, result, err
}
