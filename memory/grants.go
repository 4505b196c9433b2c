package memory

import (
	"context"
	"errors"
	"strings"
	"time"

	"engram/bus"
	"engram/bus/ledger"
	"engram/facts"
)

// GrantInput is what a parent lets a child do.
type GrantInput struct {
	Parent  string `json:"parent"` // "" is a person
	Child   string `json:"child" help:"the agent that may use it"`
	Purpose string `json:"purpose,omitempty" enum:"deref,inline" default:"deref" help:"deref: to pull excerpts; inline: to have code in messages"`
	// Pointer is a whole reference or, where Strict is not set, a short form (Complete),
	// with Prefix a folder. For code it may be "", and only says what is meant.
	Pointer  string        `json:"pointer"`
	Strict   bool          `json:"-"` // at the boundary between agents: a pointer names its commit
	Prefix   bool          `json:"prefix,omitempty" help:"everything whose ref begins with the pointer's"`
	Cap      int           `json:"cap_tokens,omitempty" default:"500" help:"tokens of all uses together; characters for inline"`
	Uses     int           `json:"uses,omitempty" default:"1" help:"how often it is good"`
	Lifetime time.Duration `json:"lifetime,omitempty"` // 0 means bus.DefaultGrantLifetime
	PassOn   bool          `json:"pass_on,omitempty" help:"the child may make narrower grants out of it"`
	// From is the budget token that a child makes a narrower grant out of. What that has
	// left is then less by what the new one has, and a zero Cap, Uses or Lifetime is at
	// most what is left.
	From string `json:"from,omitempty" help:"budget_token that this grant is made out of"`
}

// GrantResult is a grant with its token.
type GrantResult struct {
	Answer
	BudgetToken string `json:"budget_token"`
	Grant       Grant  `json:"grant"`
	// Notes say where the grant lets its child read nothing, or less than it looks like.
	Notes []string `json:"notes,omitempty"`
}

// IssueGrant signs a grant. The error is a *LeadError where the parent is none,
// ErrUsage where the grant makes no sense or is wider than the one that it is made out
// of, and wraps bus.ErrForged or bus.ErrUnknownGrant where From is no good token.
func (m *Memory) IssueGrant(ctx context.Context, in GrantInput) (GrantResult, error) {
	if err := nameAgents(&in.Parent, &in.Child); err != nil {
		return GrantResult{}, err
	}
	switch {
	case in.From != "" && in.Parent == "":
		return GrantResult{}, wrong("name the agent that the token is for as parent", "only the child of a grant makes another out of it")
	case in.From == "" && !m.MayLead(in.Parent):
		return GrantResult{}, &LeadError{Agent: in.Parent, What: "issue grants"}
	case in.Lifetime < 0:
		return GrantResult{}, wrong("say how long it is good: 1h, say", "a grant cannot end before it begins")
	}
	pointer, err := m.grantPointer(ctx, in)
	if err != nil {
		return GrantResult{}, err
	}
	revision, err := m.revisionIfAny(ctx)
	if err != nil {
		return GrantResult{}, err
	}
	now := m.moment()
	g := Grant{ID: m.newID(now), Parent: in.Parent, Child: in.Child, Purpose: bus.Purpose(in.Purpose), Pointer: pointer, Prefix: in.Prefix,
		Cap: in.Cap, Uses: in.Uses, Issued: now, PassOn: in.PassOn}
	if in.Lifetime > 0 {
		g.Expires = now.Add(in.Lifetime)
	}
	token, g, err := m.ledger.Issue(ctx, g, in.From)
	if err != nil {
		return GrantResult{}, grantError(err)
	}
	kind, _, _ := strings.Cut(g.Pointer, ":")
	m.note(ctx, Event{Name: ledger.DerefGrant, Agent: g.Parent, Child: g.Child, IDs: []string{g.ID}, Pointers: typesOf(facts.PointerType(kind)), Tokens: g.Cap})
	return GrantResult{Answer: answer(revision), BudgetToken: token, Grant: g, Notes: m.grantNotes(ctx, revision, g)}, nil
}

func typesOf(t facts.PointerType) []string {
	if t == "" {
		return nil
	}
	return []string{string(t)}
}

// grantError makes a request that makes no sense of what is wrong with a grant.
func grantError(err error) error {
	var fault *bus.GrantError
	if errors.As(err, &fault) {
		return wrong("`engram bus grants` shows what is left of each; `engram bus grant --help` what a grant may have", "%w", err)
	}
	return err
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
// not "". Those that ended a week ago are forgotten.
func (m *Memory) Grants(ctx context.Context, child string) (GrantsResult, error) {
	if err := nameAgents(&child); err != nil {
		return GrantsResult{}, err
	}
	list, err := m.ledger.Grants(child)
	if err != nil {
		return GrantsResult{}, err
	}
	return m.grantsResult(ctx, list)
}

func (m *Memory) grantsResult(ctx context.Context, list []bus.Standing) (GrantsResult, error) {
	revision, err := m.revisionIfAny(ctx)
	result := GrantsResult{Answer: answer(revision), Grants: []GrantState{}}
	now := m.moment()
	for _, s := range list {
		left := s.Left()
		result.Grants = append(result.Grants, GrantState{Grant: s.Grant, UsesLeft: left.Uses, CapLeft: left.Cap, State: string(s.State(now))})
	}
	return result, err
}

// RevokeGrant ends a grant and those that were made out of it, and lists them. agent is
// who asks: the parent of it or of one that it was made out of, or a person. The error
// wraps ledger.ErrNoGrant or ledger.ErrNotTheirs.
func (m *Memory) RevokeGrant(ctx context.Context, id, agent string) (GrantsResult, error) {
	if err := nameAgents(&agent); err != nil {
		return GrantsResult{}, err
	}
	ended, err := m.ledger.Revoke(ctx, id, agent)
	if err != nil {
		return GrantsResult{}, err
	}
	return m.grantsResult(ctx, ended)
}
