package write

import (
	"context"
	"slices"
)

// EndTurnBy ends the turn of an agent whose message was accepted. A message that stated
// nothing new ends it at most once per turn time.
func (m *Writer) EndTurnBy(ctx context.Context, agent string, stored []CommitResult) {
	if slices.ContainsFunc(stored, func(c CommitResult) bool { return !c.Duplicate }) {
		m.budget.EndTurn(ctx, agent)
		return
	}
	if agent == "" {
		return
	}
	if _, err := m.Ledger.EndQuietly(context.WithoutCancel(ctx), agent); err != nil {
		m.Log.Warn("a turn was not ended", "error", err)
	}
}
