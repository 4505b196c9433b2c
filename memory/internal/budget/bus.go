package budget

import (
	"slices"

	"engram/bus"
	"engram/facts"
	"engram/memory/internal/core"
)

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
