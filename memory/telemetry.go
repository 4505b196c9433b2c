package memory

import (
	"context"

	"engram/bus/ledger"
)

// Event is something that happened between agents; it holds no text.
type Event = ledger.Event

// Counters are the sums of the events of this clone since its first.
type Counters = ledger.Counters

// note records what happened. It takes less than a millisecond, and a failure is
// logged and stops nothing.
func (m *Memory) note(ctx context.Context, e Event) {}

// endTurn ends an agent's turn: what it pulls next is the first of another. A failure
// is logged: the turn then ends by time.
func (m *Memory) endTurn(ctx context.Context, agent string) {}

// TelemetryResult is what agents exchanged, in sums.
type TelemetryResult struct {
	Answer
	Counters
}

// Telemetry sums up what agents exchanged in this clone. It needs no memory branch.
func (m *Memory) Telemetry(ctx context.Context) (TelemetryResult, error) {
	return TelemetryResult{}, errNotBuilt
}

// MetricsText is the same in the text format of OpenMetrics 1.0, whose content type is
// MetricsType.
func (r TelemetryResult) MetricsText() string { return "" }

// MetricsType is the content type of MetricsText.
const MetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

// EventsResult is the end of the log of events, the newest last.
type EventsResult struct {
	Answer
	Events []Event `json:"events"`
}

// Events reads the last so many events; 0 means all that are kept.
func (m *Memory) Events(ctx context.Context, last int) (EventsResult, error) {
	return EventsResult{}, errNotBuilt
}
