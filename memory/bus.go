package memory

import (
	"slices"
	"time"

	"engram/bus"
	"engram/bus/ledger"
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
	Limits        = bus.Limits
)

// The codes of refusals.
const (
	BudgetExceeded = bus.BudgetExceeded
	DerefDenied    = bus.DerefDenied
	Invalid        = bus.Invalid
)

// DefaultLimits are the limits of what agents exchange where nobody chose others.
func DefaultLimits() Limits { return bus.DefaultLimits() }

// CheckGranted reports where a pointer of a grant says other things than its reference.
func CheckGranted(p EngramPointer, prefix bool) error { return bus.CheckGranted(p, prefix) }

// BusOptions are the settings of what agents exchange; the zero value is the default.
type BusOptions struct {
	Limits Limits
	// Parents are the agents that may issue grants, let facts reach beyond the project,
	// and end facts of others over the bus. People always may.
	Parents []string
	// TurnTime ends a turn that nothing else ended; 0 is DefaultTurnTime.
	TurnTime time.Duration
}

// DefaultTurnTime is after how long a turn is over, counted from its first dereference.
const DefaultTurnTime = ledger.DefaultTurnTime

// MayLead reports whether an agent is a parent, or a person, which "" is.
func (m *Memory) MayLead(agent string) bool {
	return agent == "" || slices.Contains(m.bus.Parents, agent)
}
