package web

import (
	"context"
	"net/http"

	"engram/memory"
)

// grantRequest is the body of POST /grant (seed 1 §6.3), and one of a broadcast's
// grants.
type grantRequest struct {
	Parent   string               `json:"parent,omitempty"`
	Child    string               `json:"child,omitempty"`
	Purpose  string               `json:"purpose,omitempty"`
	Pointer  memory.EngramPointer `json:"pointer"`
	Prefix   bool                 `json:"prefix,omitempty"`
	Cap      int                  `json:"cap_tokens,omitempty"`
	Uses     int                  `json:"uses,omitempty"`
	Lifetime string               `json:"lifetime,omitempty"` // such as PT30M, or 30m
	PassOn   bool                 `json:"pass_on,omitempty"`
	From     string               `json:"from,omitempty"`
}

func (g grantRequest) input() (memory.GrantInput, error) {
	in := memory.GrantInput{
		Parent: g.Parent, Child: g.Child, Purpose: g.Purpose, Pointer: g.Pointer.Ref, Prefix: g.Prefix,
		Cap: g.Cap, Uses: g.Uses, PassOn: g.PassOn, From: g.From,
	}
	var err error
	if !g.Prefix && g.Pointer.Ref != "" {
		if in.Pointer, err = wholeRef(g.Pointer); err != nil {
			return in, err
		}
	}
	if g.Prefix && g.Pointer.Ref != "" {
		if err := memory.CheckGranted(g.Pointer, true); err != nil {
			return in, badRequest(err.Error(), "the type is what the ref begins with; a prefix has no span")
		}
	}
	in.Lifetime, err = memory.ParseLifetime(g.Lifetime)
	return in, err
}

// issueGrant is POST /grant; only a parent may.
func issueGrant(ctx context.Context, r *request) (int, any, error) {
	g, err := decode[grantRequest](r)
	if err != nil {
		return 0, nil, err
	}
	in, err := g.input()
	if err != nil {
		return 0, nil, err
	}
	if in.Parent, err = r.agent(g.Parent); err != nil {
		return 0, nil, err
	}
	in.Strict = true
	result, err := r.memory.IssueGrant(ctx, in)
	return http.StatusCreated, result, err
}

// listGrants is GET /grants: those of one child, or all. A child sees its own.
func listGrants(ctx context.Context, r *request) (int, any, error) {
	p, err := r.params("child")
	if err != nil {
		return 0, nil, err
	}
	agent, err := r.agent("")
	if err != nil {
		return 0, nil, err
	}
	child, err := r.whoseGrants(agent, p["child"])
	if err != nil {
		return 0, nil, err
	}
	result, err := r.memory.Grants(ctx, child)
	return http.StatusOK, result, err
}

// revokeGrant is DELETE /grant/{id}.
func revokeGrant(ctx context.Context, r *request) (int, any, error) {
	if _, err := r.params(); err != nil {
		return 0, nil, err
	}
	agent, err := r.agent("")
	if err != nil {
		return 0, nil, err
	}
	result, err := r.memory.RevokeGrant(ctx, r.PathValue("id"), agent)
	return http.StatusOK, result, err
}

// whoseGrants is the child whose grants are listed: who leads may ask for any, or for
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
