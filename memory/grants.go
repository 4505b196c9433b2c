package memory

import (
	"context"
	"time"
)

// GrantInput is what a parent lets a child do.
type GrantInput struct {
	Parent   string        `json:"parent"` // "" is a person
	Child    string        `json:"child"`
	Purpose  string        `json:"purpose,omitempty"` // "" means deref
	Pointer  string        `json:"pointer"`
	Prefix   bool          `json:"prefix,omitempty"`
	Cap      int           `json:"cap_tokens,omitempty"` // 0 means bus.DefaultGrantCap
	Uses     int           `json:"uses,omitempty"`
	Lifetime time.Duration `json:"lifetime,omitempty"`
	PassOn   bool          `json:"pass_on,omitempty"`
	// From is the budget token that a child makes a narrower grant out of.
	From string `json:"from,omitempty"`
}

// GrantResult is a grant with its token.
type GrantResult struct {
	Answer
	BudgetToken string `json:"budget_token"`
	Grant       Grant  `json:"grant"`
}

// IssueGrant signs a grant. The error is a PermissionError where the parent is none,
// and ErrUsage where the grant is wider than the one that it is made out of.
func (m *Memory) IssueGrant(ctx context.Context, in GrantInput) (GrantResult, error) {
	return GrantResult{}, errNotBuilt
}

// GrantState is a grant and what is left of it.
type GrantState struct {
	Grant
	UsesLeft int    `json:"uses_left"`
	CapLeft  int    `json:"cap_left"`
	State    string `json:"state"` // open, used up, expired or revoked
}

// GrantsResult lists grants, the newest first.
type GrantsResult struct {
	Answer
	Grants []GrantState `json:"grants"`
}

// Grants lists the grants that were issued in this repository; of child, where it is
// not "".
func (m *Memory) Grants(ctx context.Context, child string) (GrantsResult, error) {
	return GrantsResult{}, errNotBuilt
}

// RevokeGrant ends a grant and those that were made out of it. agent is who asks: its
// parent, or a person.
func (m *Memory) RevokeGrant(ctx context.Context, id, agent string) (GrantsResult, error) {
	return GrantsResult{}, errNotBuilt
}
