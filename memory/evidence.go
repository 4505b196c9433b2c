package memory

import (
	"context"

	"engram/memory/internal/core"
	"engram/memory/internal/deref"
	"engram/memory/internal/proof"
	"engram/memory/internal/write"
)

type (
	// Freshness is the verdict on evidence; package evidence defines the verdicts.
	Freshness = core.Freshness
	// Completed is a pointer that was completed from a short form.
	Completed = deref.Completed
	// DerefInput names what to read.
	DerefInput = deref.DerefInput
	// DerefResult is what a pointer leads to.
	DerefResult = deref.DerefResult
	// Turn is what an agent has read since its turn began.
	Turn = deref.Turn
	// TurnResult is what an agent has read in its turn, and what is left.
	TurnResult = deref.TurnResult
	// TouchedFile is a file of the code that is about to change.
	TouchedFile = proof.TouchedFile
	// EvidenceResult lists facts by their evidence.
	EvidenceResult = proof.EvidenceResult
	// Evidence is a fact whose evidence is about to drift or to go missing.
	Evidence = proof.Evidence
	// VerifyInput says which facts to check against which state of the code.
	VerifyInput = proof.VerifyInput
	// VerifyResult is the verdict on every fact with pointers.
	VerifyResult = proof.VerifyResult
	// FactCheck is the verdict on a fact.
	FactCheck = proof.FactCheck
	// PointerCheck is the verdict on a pointer.
	PointerCheck = proof.PointerCheck
	// ReverifyInput says which facts still hold.
	ReverifyInput = write.ReverifyInput
	// ReverifyResult says what was committed.
	ReverifyResult = write.ReverifyResult
)

// The verdicts on evidence, and bounds of a dereference.
const (
	Fresh              = core.Fresh // the verdicts on evidence
	Moved              = core.Moved
	Drifted            = core.Drifted
	Missing            = core.Missing
	Unchecked          = core.Unchecked
	DefaultDerefTokens = deref.DefaultDerefTokens // the size of an excerpt by default, in tokens
	MaxDerefTokens     = deref.MaxDerefTokens     // the largest excerpt, in tokens
	DefaultTurnTime    = core.DefaultTurnTime     // how long a turn lasts from its first dereference
	LimitedByMaxTokens = deref.LimitedByMaxTokens // the excerpt ends at the MaxTokens of its input
)

// Deref reads what a pointer leads to: a file or test at its commit, a fact on the memory
// branch, or a diff between two commits.
func (m *Memory) Deref(ctx context.Context, in DerefInput) (DerefResult, error) {
	return m.deref.Deref(ctx, in)
}

// Turn reports what is left of an agent's turn, without using any of it.
func (m *Memory) Turn(ctx context.Context, agent string) (TurnResult, error) {
	return m.deref.Turn(ctx, agent)
}

// Evidence finds the current facts whose evidence is at HEAD but would not survive a change of
// these files.
func (m *Memory) Evidence(ctx context.Context, files []TouchedFile) (EvidenceResult, error) {
	return m.proof.Evidence(ctx, files)
}

// Verify checks the evidence of facts against the code, without a time limit.
func (m *Memory) Verify(ctx context.Context, in VerifyInput) (VerifyResult, error) {
	return m.proof.Verify(ctx, in)
}

// Reverify commits new versions of facts, with the same claims and with pointers to where their
// evidence is at HEAD, in one commit.
func (m *Memory) Reverify(ctx context.Context, in ReverifyInput) (ReverifyResult, error) {
	return m.write.Reverify(ctx, in)
}
