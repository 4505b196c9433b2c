package exchange

import (
	"context"
	"errors"
	"strings"

	"engram/bus"
	"engram/bus/ledger"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// IssueGrant signs a grant. The error is a *LeadError if Parent is not a parent, wraps
// ErrUsage if the grant is not valid or is wider than the one it is derived from, and
// bus.ErrForged or bus.ErrUnknownGrant if From is not a valid token.
func (m *Bus) IssueGrant(ctx context.Context, in budget.GrantInput) (budget.GrantResult, error) {
	if err := core.NormalizeAgents(&in.Parent, &in.Child); err != nil {
		return budget.GrantResult{}, err
	}
	switch {
	case in.From != "" && in.Parent == "":
		return budget.GrantResult{}, core.UsageErrorf(hint.New("name the agent that the token is for as parent"), "only the child of a grant makes another out of it")
	case in.From == "" && !m.budget.MayLead(in.Parent):
		return budget.GrantResult{}, &write.LeadError{Agent: in.Parent, What: "issue grants"}
	case in.Lifetime < 0:
		return budget.GrantResult{}, core.UsageErrorf(hint.New("say how long it is good, such as 1h"), "a grant cannot end before it begins")
	}
	pointer, err := m.grantPointer(ctx, in)
	if err != nil {
		return budget.GrantResult{}, err
	}
	revision, err := m.budget.RevisionIfAny(ctx)
	if err != nil {
		return budget.GrantResult{}, err
	}
	now := m.Moment()
	g := budget.Grant{ID: m.NewID(now), Parent: in.Parent, Child: in.Child, Purpose: bus.Purpose(in.Purpose), Pointer: pointer, Prefix: in.Prefix,
		Cap: in.Cap, Uses: in.Uses, Issued: now, PassOn: in.PassOn}
	if in.Lifetime > 0 {
		g.Expires = now.Add(in.Lifetime)
	}
	token, g, err := m.Ledger.Issue(ctx, g, in.From)
	if err != nil {
		return budget.GrantResult{}, grantError(err)
	}
	kind, _, _ := strings.Cut(g.Pointer, ":")
	m.budget.Note(ctx, budget.Event{Name: ledger.DerefGrant, Agent: g.Parent, Child: g.Child, IDs: []string{g.ID}, Pointers: budget.PointerTypes(facts.PointerType(kind)), Tokens: g.Cap})
	return budget.GrantResult{Answer: core.AnswerAt(revision), BudgetToken: token, Grant: g, Notes: m.grantNotes(ctx, revision, g)}, nil
}

// grantError turns an error of a grant into a usage error.
func grantError(err error) error {
	var fault *bus.GrantError
	if errors.As(err, &fault) {
		return core.UsageErrorf(GrantHint(), "%w", err)
	}
	return err
}

// GrantState is a grant and what is left of it.
type GrantState struct {
	budget.Grant
	UsesLeft int    `json:"uses_left"`
	CapLeft  int    `json:"cap_left"`
	State    string `json:"state"` // open, used up, expired or revoked
}

// GrantsResult lists grants, the newest first.
type GrantsResult struct {
	core.Answer
	Grants []GrantState `json:"grants"`
}

// Grants lists the grants that were issued in this repository; a child that is not ""
// narrows the list. Grants that ended a week ago are forgotten.
func (m *Bus) Grants(ctx context.Context, child string) (GrantsResult, error) {
	if err := core.NormalizeAgents(&child); err != nil {
		return GrantsResult{}, err
	}
	list, err := m.Ledger.Grants(child)
	if err != nil {
		return GrantsResult{}, err
	}
	return m.grantsResult(ctx, list)
}

func (m *Bus) grantsResult(ctx context.Context, list []bus.Standing) (GrantsResult, error) {
	revision, err := m.budget.RevisionIfAny(ctx)
	result := GrantsResult{Answer: core.AnswerAt(revision), Grants: []GrantState{}}
	now := m.Moment()
	for _, s := range list {
		left := s.Left()
		result.Grants = append(result.Grants, GrantState{Grant: s.Grant, UsesLeft: left.Uses, CapLeft: left.Cap, State: string(s.State(now))})
	}
	return result, err
}

// RevokeGrant ends a grant and the grants derived from it, and lists them. agent must be
// its parent, the parent of a grant that it was derived from, or a person. The error wraps
// ledger.ErrNoGrant or ledger.ErrNotTheirs.
func (m *Bus) RevokeGrant(ctx context.Context, id, agent string) (GrantsResult, error) {
	if err := core.NormalizeAgents(&agent); err != nil {
		return GrantsResult{}, err
	}
	ended, err := m.Ledger.Revoke(ctx, id, agent)
	if err != nil {
		return GrantsResult{}, err
	}
	return m.grantsResult(ctx, ended)
}
