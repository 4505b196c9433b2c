package gateway

import (
	"context"
	"net/http"

	"engram/memory"
	"engram/web/internal/wire"
)

// grantRequest is the body of POST /grant, and one of a broadcast's grants.
type grantRequest struct {
	memory.GrantInput
	Pointer  memory.EngramPointer `json:"pointer"`
	Lifetime string               `json:"lifetime,omitempty"` // such as PT30M, or 30m
}

func (g grantRequest) input() (memory.GrantInput, error) {
	in := g.GrantInput
	in.Pointer = g.Pointer.Ref
	var err error
	if !g.Prefix && g.Pointer.Ref != "" {
		if in.Pointer, err = wholeRef(g.Pointer); err != nil {
			return in, err
		}
	}
	if g.Prefix && g.Pointer.Ref != "" {
		if err := memory.CheckGranted(g.Pointer, true); err != nil {
			return in, wire.BadRequest(err.Error(), "the type is what the ref begins with; a prefix has no span")
		}
	}
	in.Lifetime, err = memory.ParseLifetime(g.Lifetime)
	return in, err
}

// issueGrant is POST /grant; only a parent may.
func issueGrant(ctx context.Context, r *request) (any, error) {
	g, err := wire.Body[grantRequest](r.Request)
	if err != nil {
		return nil, err
	}
	in, err := g.input()
	if err != nil {
		return nil, err
	}
	if in.Parent, err = r.agent(g.Parent); err != nil {
		return nil, err
	}
	in.Strict = true
	result, err := r.memory.IssueGrant(ctx, in)
	return created{http.StatusCreated, result}, err
}

// childQuery is the query about a child's grants or turn.
type childQuery struct {
	Child string `json:"child,omitempty"`
}

// listGrants is GET /grants: those of one child, or all. A child sees its own.
func listGrants(ctx context.Context, r *request) (any, error) {
	asked, err := wire.Query[childQuery](r.Request)
	if err != nil {
		return nil, err
	}
	agent, err := r.agent("")
	if err != nil {
		return nil, err
	}
	child, err := r.whoseGrants(agent, asked.Child)
	if err != nil {
		return nil, err
	}
	return r.memory.Grants(ctx, child)
}

// whoseGrants is the child whose grants are listed: a parent may ask for any, or for
// all; a child sees its own.
func (r *request) whoseGrants(agent, asked string) (string, error) {
	if r.memory.MayLead(agent) {
		return asked, nil
	}
	if asked != "" && asked != agent {
		return "", notYou()
	}
	return agent, nil
}
