package memory

import (
	"context"

	"engram/memory/internal/deref"
)

type (
	// Completed is a pointer that was completed from a short form.
	Completed = deref.Completed
	// DerefInput names what is to be read.
	DerefInput = deref.DerefInput
	// DerefResult is what stands behind a pointer.
	DerefResult = deref.DerefResult
	// Turn is what an agent pulled since its turn began.
	Turn = deref.Turn
	// TurnResult is what an agent has pulled in its turn, and what is left of it.
	TurnResult = deref.TurnResult
)

const (
	// DefaultDerefTokens is how many tokens an excerpt has at most (seed 1 §6.2).
	DefaultDerefTokens = deref.DefaultDerefTokens
	// MaxDerefTokens is the most that can be asked for at once.
	MaxDerefTokens     = deref.MaxDerefTokens
	LimitedByMaxTokens = deref.LimitedByMaxTokens
)

// Complete makes a whole pointer, with commit and digest, of what a person types, for the
// commit that this work tree is at: internal/auth.go the file internal/auth.go:12 a line
// internal/auth.go:12-40 lines docs/spec.md#Budget rules a section repo:path#L12-L40 a
// reference without a commit domain/auth/session a fact, as it is now A whole reference
// gets the digest that it lacks.
func (m *Memory) Complete(ctx context.Context, text string) (Completed, error) {
	return m.deref.Complete(ctx, text)
}

// Deref reads what stands behind a pointer: of a repo, artifact or test pointer at its
// commit, of a sam pointer on the memory branch, of a diff between its commits.
func (m *Memory) Deref(ctx context.Context, in DerefInput) (DerefResult, error) {
	return m.deref.Deref(ctx, in)
}

// Turn says what is left of an agent's turn, and uses none of it.
func (m *Memory) Turn(ctx context.Context, agent string) (TurnResult, error) {
	return m.deref.Turn(ctx, agent)
}
