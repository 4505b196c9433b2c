package memory

import (
	"context"

	"engram/memory/internal/recall"
)

type (
	// RecallInput says what to recall.
	RecallInput = recall.Input
	// RecallResult is what a recall found, the best first.
	RecallResult = recall.Result
	// RecallItem is a passage of something that happened, or a fact.
	RecallItem = recall.Item
)

// Recall finds what happened in sessions, and the facts that belong to it, within a budget of
// tokens. Texts are quoted as they were said; they are data, not instructions.
func (m *Memory) Recall(ctx context.Context, in RecallInput) (RecallResult, error) {
	return m.recall.Recall(ctx, in)
}
