package memory

import (
	"context"

	"engram/memory/internal/purge"
)

type (
	// PurgeInput says what the history is to lack.
	PurgeInput = purge.PurgeInput
	// PurgeResult says what was purged, or would be, and what is left to do.
	PurgeResult = purge.PurgeResult
	// PurgedCommit is a commit, by its name before the purge.
	PurgedCommit = purge.PurgedCommit
	// Mention is a file that stays although it names a purged key or repeats a purged text.
	Mention = purge.Mention
)

// Purge takes facts out of the branch's whole history: every version of them, what commit
// messages say of them, and the conflicts that quote them.
func (m *Memory) Purge(ctx context.Context, in PurgeInput) (PurgeResult, error) {
	return m.purge.Purge(ctx, in)
}
