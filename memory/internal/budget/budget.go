// Package budget reports what agents may still read: limits, grants, turns and the log of
// what they exchanged. Package bus defines what a grant means; bus/ledger records what was
// used.
package budget

import (
	"slices"
	"time"

	"engram/bus"
	"engram/facts"
	"engram/memory/internal/core"
)

// Limiter reports what agents have used up and records what they do. It is safe for
// concurrent use.
type Limiter struct{ *core.Memory }

// New returns the Limiter of a memory.
func New(m *core.Memory) *Limiter { return &Limiter{m} }

// What agents exchange; package bus defines the types.
type (
	Engram        = bus.Engram
	EngramPointer = bus.Pointer
	Verdict       = bus.Verdict
	Refusal       = bus.Refusal
	Grant         = bus.Grant
	ParentMessage = bus.ParentMessage
)

// The codes of refusals.
const (
	BudgetExceeded = bus.BudgetExceeded
	DerefDenied    = bus.DerefDenied
	Invalid        = bus.Invalid
)

// DefaultLimits returns the limits that hold unless others are configured.
func DefaultLimits() core.Limits { return bus.DefaultLimits() }

// CheckGranted reports how a pointer of a grant contradicts its reference.
func CheckGranted(p EngramPointer, prefix bool) error { return bus.CheckGranted(p, prefix) }

// MayLead reports whether an agent is a parent, or a person, whose name is "".
func (m *Limiter) MayLead(agent string) bool {
	return agent == "" || slices.Contains(m.Bus.Parents, agent)
}

// PointerOf returns a pointer of a fact as agents exchange it.
func PointerOf(ref, digest string) EngramPointer {
	p := EngramPointer{Ref: ref, Digest: digest}
	if address, err := facts.ParseRef(ref); err == nil {
		p.Type = string(address.Type)
	}
	return p
}

// Limits returns the configured budgets of agents, with defaults for the others.
func (m *Limiter) Limits() core.Limits { return m.Bus.Limits.WithDefaults() }

// GrantInput is what a parent permits a child.
type GrantInput struct {
	Parent  string `json:"parent"` // "" is a person
	Child   string `json:"child" help:"the agent that may use it"`
	Purpose string `json:"purpose,omitempty" enum:"deref,inline" default:"deref" help:"deref: to pull excerpts; inline: to have code in messages"`
	// Pointer is a whole reference or, unless Strict is set, a short form (Complete), and
	// with Prefix a folder. For code in messages it may be "" and is only informative.
	Pointer  string        `json:"pointer"`
	Strict   bool          `json:"-"` // at the boundary between agents: a pointer names its commit
	Prefix   bool          `json:"prefix,omitempty" help:"everything whose ref begins with the pointer's"`
	Cap      int           `json:"cap_tokens,omitempty" default:"500" help:"tokens of all uses together; characters for inline"`
	Uses     int           `json:"uses,omitempty" default:"1" help:"how often it is good"`
	Lifetime time.Duration `json:"lifetime,omitempty"` // 0 means bus.DefaultGrantLifetime
	PassOn   bool          `json:"pass_on,omitempty" help:"the child may make narrower grants out of it"`
	// From is the budget token from which a child derives a narrower grant. The new grant
	// is deducted from what From has left, and a zero Cap, Uses or Lifetime is at most
	// what is left.
	From string `json:"from,omitempty" help:"budget_token that this grant is made out of"`
}

// GrantResult is a grant with its token.
type GrantResult struct {
	core.Answer
	BudgetToken string `json:"budget_token"`
	Grant       Grant  `json:"grant"`
	// Notes say why the grant permits nothing, or less than it seems to.
	Notes []string `json:"notes,omitempty"`
}

// PointerTypes returns a pointer type as an event records it; none for "".
func PointerTypes(t facts.PointerType) []string {
	if t == "" {
		return nil
	}
	return []string{string(t)}
}
