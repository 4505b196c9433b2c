package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"engram/bus/ledger"
	"engram/gitstore"
	"engram/internal/hint"
)

// Event is something that happened between agents; it holds no text.
type Event = ledger.Event

// Counters are the sums of the events of this clone since its first.
type Counters = ledger.Counters

// note records what happened. A failure is logged and stops nothing.
func (m *Memory) note(ctx context.Context, e Event) {
	if err := m.ledger.Note(context.WithoutCancel(ctx), e); err != nil {
		m.log.Warn("an event was not recorded", "event", e.Name, "error", err)
	}
}

// endTurn ends an agent's turn: what it pulls next is the first of another. A failure
// is logged: the turn then ends by time.
func (m *Memory) endTurn(ctx context.Context, agent string) {
	if agent == "" {
		return
	}
	if err := m.ledger.EndTurn(context.WithoutCancel(ctx), agent); err != nil {
		m.log.Warn("a turn was not ended", "error", err)
	}
}

// endTurnBy ends the turn of an agent whose message was accepted: where that said nothing
// new, once in the time of a turn alone.
func (m *Memory) endTurnBy(ctx context.Context, agent string, stored []CommitResult) {
	if slices.ContainsFunc(stored, func(c CommitResult) bool { return !c.Duplicate }) {
		m.endTurn(ctx, agent)
		return
	}
	if agent == "" {
		return
	}
	if _, err := m.ledger.EndQuietly(context.WithoutCancel(ctx), agent); err != nil {
		m.log.Warn("a turn was not ended", "error", err)
	}
}

// TelemetryResult is what agents exchanged, in sums.
type TelemetryResult struct {
	Answer
	Counters
	// ContradictionRate is how many of the engrams are risks with pointers to different
	// sources, ResendRate how many rejected messages were followed by one of the same
	// agent that was accepted, and RejectRate how many messages were rejected; null
	// where there were none.
	ContradictionRate *float64 `json:"contradiction_rate"`
	ResendRate        *float64 `json:"resend_rate"`
	RejectRate        *float64 `json:"reject_rate"`
}

// Telemetry sums up what agents exchanged in this clone. It needs no memory branch.
func (m *Memory) Telemetry(ctx context.Context) (TelemetryResult, error) {
	revision, err := m.revisionIfAny(ctx)
	if err != nil {
		return TelemetryResult{}, err
	}
	c, err := m.ledger.Counters()
	if err != nil {
		return TelemetryResult{}, fmt.Errorf("sum up events: %w", err)
	}
	engrams := 0
	for _, n := range c.Kinds {
		engrams += n
	}
	return TelemetryResult{Answer: answer(revision), Counters: c, ContradictionRate: ratio(c.Contradictions, engrams),
		ResendRate: ratio(c.Resent, c.Rejected), RejectRate: ratio(c.Rejected, c.Rejected+c.Accepted)}, nil
}

func ratio(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	r := float64(part) / float64(whole)
	return &r
}

// revisionIfAny is the tip of the memory branch, "" where there is none.
func (m *Memory) revisionIfAny(ctx context.Context) (string, error) {
	revision, err := m.store.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoBranch) {
		return "", nil
	}
	return revision, err
}

// EventsResult is the end of the log of events, the newest last.
type EventsResult struct {
	Answer
	Events []Event `json:"events"`
}

// Events reads the last so many events; 0 means all that are kept.
func (m *Memory) Events(ctx context.Context, last int) (EventsResult, error) {
	if last < 0 {
		return EventsResult{}, wrong(hint.New("0 shows all that are kept"), "%d events cannot be shown", last)
	}
	revision, err := m.revisionIfAny(ctx)
	if err != nil {
		return EventsResult{}, err
	}
	list, err := m.ledger.Events(last)
	return EventsResult{Answer: answer(revision), Events: append([]Event{}, list...)}, err
}
