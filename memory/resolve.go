package memory

import (
	"context"

	"engram/memory/internal/resolve"
)

type (
	// ResolveInput settles one conflict, in one of five ways (seed 4, phases 2 and 4): winner
	// the fact named by Winner stands, the other's window closes merge a third fact says what
	// holds; both windows close dismissed there is no contradiction, both stand last-writer
	// the fact that begins later is the winner higher-confidence the fact of the higher
	// confidence is the winner
	ResolveInput = resolve.ResolveInput
	// ResolveResult says how a conflict was settled.
	ResolveResult = resolve.ResolveResult
)

var (
	// ErrSettled reports a conflict that is not open any more.
	ErrSettled = resolve.ErrSettled
	// ErrNoConflict reports an id that no conflict has, or that several begin with.
	ErrNoConflict = resolve.ErrNoConflict
)

// Resolve settles an open conflict, in one commit with what it does to the facts.
func (m *Memory) Resolve(ctx context.Context, in ResolveInput) (ResolveResult, error) {
	return m.resolve.Resolve(ctx, in)
}
