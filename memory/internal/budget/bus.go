package budget

import (
	"slices"

	"engram/bus"
	"engram/facts"
	"engram/memory/internal/core"
)

// What agents exchange, as package bus has it.
type (
	Engram        = bus.Engram
	EngramPointer = bus.Pointer
	Verdict       = bus.Verdict
	Refusal       = bus.Refusal
	Grant         = bus.Grant
	ChildMessage  = bus.ChildMessage
	ParentMessage = bus.ParentMessage
)

// The codes of refusals.
const (
	BudgetExceeded = bus.BudgetExceeded
	DerefDenied    = bus.DerefDenied
	Invalid        = bus.Invalid
)

// DefaultLimits are the limits of what agents exchange where nobody chose others.
func DefaultLimits() core.Limits { return bus.DefaultLimits() }

// CheckGranted reports where a pointer of a grant says other things than its reference.
func CheckGranted(p EngramPointer, prefix bool) error { return bus.CheckGranted(p, prefix) }

// MayLead reports whether an agent is a parent, or a person, which "" is.
func (m *Limiter) MayLead(agent string) bool {
	return agent == "" || slices.Contains(m.Bus.Parents, agent)
}

// PointerOf is a pointer of a fact as agents exchange it.
func PointerOf(ref, digest string) EngramPointer {
	p := EngramPointer{Ref: ref, Digest: digest}
	if address, err := facts.ParseRef(ref); err == nil {
		p.Type = string(address.Type)
	}
	return p
}

// Limits are the budgets of agents, with the defaults of what nobody set.
func (m *Limiter) Limits() core.Limits { return m.Bus.Limits.WithDefaults() }
