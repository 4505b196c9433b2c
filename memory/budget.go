package memory

import (
	"context"

	"engram/memory/internal/budget"
)

type (
	Engram        = budget.Engram
	EngramPointer = budget.EngramPointer
	Verdict       = budget.Verdict
	Refusal       = budget.Refusal
	Grant         = budget.Grant
	// GrantInput is what a parent lets a child do.
	GrantInput = budget.GrantInput
	// GrantResult is a grant with its token.
	GrantResult = budget.GrantResult
	// Event is something that happened between agents; it holds no text.
	Event = budget.Event
	// Counters are the sums of the events of this clone since its first.
	Counters = budget.Counters
	// TelemetryResult is what agents exchanged, in sums.
	TelemetryResult = budget.TelemetryResult
	// EventsResult is the end of the log of events, the newest last.
	EventsResult = budget.EventsResult
)

const (
	BudgetExceeded = budget.BudgetExceeded
	DerefDenied    = budget.DerefDenied
	Invalid        = budget.Invalid
	// MetricsType is the content type of MetricsText.
	MetricsType = budget.MetricsType
)

// DefaultLimits are the limits of what agents exchange where nobody chose others.
func DefaultLimits() Limits {
	return budget.DefaultLimits()
}

// CheckGranted reports where a pointer of a grant says other things than its reference.
func CheckGranted(p EngramPointer, prefix bool) error {
	return budget.CheckGranted(p, prefix)
}

// MayLead reports whether an agent is a parent, or a person, which "" is.
func (m *Memory) MayLead(agent string) bool {
	return m.budget.MayLead(agent)
}

// Telemetry sums up what agents exchanged in this clone.
func (m *Memory) Telemetry(ctx context.Context) (TelemetryResult, error) {
	return m.budget.Telemetry(ctx)
}

// Events reads the last so many events; 0 means all that are kept.
func (m *Memory) Events(ctx context.Context, last int) (EventsResult, error) {
	return m.budget.Events(ctx, last)
}
