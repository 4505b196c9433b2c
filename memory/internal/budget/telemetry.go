package budget

import (
	"context"
	"errors"
	"fmt"

	"engram/bus/ledger"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// Event is something that happened between agents; it contains no text.
type Event = ledger.Event

// Counters are the sums of the events of this clone since its first.
type Counters = ledger.Counters

// Note records an event. A failure is only logged.
func (m *Limiter) Note(ctx context.Context, e Event) {
	if err := m.Ledger.Note(context.WithoutCancel(ctx), e); err != nil {
		m.Log.Warn("an event was not recorded", "event", e.Name, "error", err)
	}
}

// EndTurn ends an agent's turn; its next dereference begins another. A failure is only
// logged: the turn then ends by time.
func (m *Limiter) EndTurn(ctx context.Context, agent string) {
	if agent == "" {
		return
	}
	if err := m.Ledger.EndTurn(context.WithoutCancel(ctx), agent); err != nil {
		m.Log.Warn("a turn was not ended", "error", err)
	}
}

// TelemetryResult is what agents exchanged, in sums.
type TelemetryResult struct {
	core.Answer
	Counters
	// ContradictionRate is the share of engrams that are risks with pointers to different
	// sources, ResendRate the share of rejected messages that were followed by an accepted
	// one of the same agent, and RejectRate the share of messages that were rejected. A
	// rate is null if there is nothing to count.
	ContradictionRate *float64 `json:"contradiction_rate"`
	ResendRate        *float64 `json:"resend_rate"`
	RejectRate        *float64 `json:"reject_rate"`
}

// Telemetry sums up what agents exchanged in this clone. It needs no memory branch.
func (m *Limiter) Telemetry(ctx context.Context) (TelemetryResult, error) {
	revision, err := m.RevisionIfAny(ctx)
	if err != nil {
		return TelemetryResult{}, err
	}
	c, err := m.Ledger.Counters()
	if err != nil {
		return TelemetryResult{}, fmt.Errorf("sum up events: %w", err)
	}
	engrams := 0
	for _, n := range c.Kinds {
		engrams += n
	}
	return TelemetryResult{Answer: core.AnswerAt(revision), Counters: c, ContradictionRate: ratio(c.Contradictions, engrams),
		ResendRate: ratio(c.Resent, c.Rejected), RejectRate: ratio(c.Rejected, c.Rejected+c.Accepted)}, nil
}

func ratio(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	r := float64(part) / float64(whole)
	return &r
}

// RevisionIfAny returns the tip of the memory branch, or "" if there is no branch.
func (m *Limiter) RevisionIfAny(ctx context.Context) (string, error) {
	revision, err := m.Store.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoBranch) {
		return "", nil
	}
	return revision, err
}

// EventsResult is the end of the log of events, the newest last.
type EventsResult struct {
	core.Answer
	Events []Event `json:"events"`
}

// Events reads the last events, at most as many as last says; 0 reads all that are kept.
func (m *Limiter) Events(ctx context.Context, last int) (EventsResult, error) {
	if last < 0 {
		return EventsResult{}, core.UsageErrorf(hint.New("0 shows all that are kept"), "%d events cannot be shown", last)
	}
	revision, err := m.RevisionIfAny(ctx)
	if err != nil {
		return EventsResult{}, err
	}
	list, err := m.Ledger.Events(last)
	return EventsResult{Answer: core.AnswerAt(revision), Events: append([]Event{}, list...)}, err
}
