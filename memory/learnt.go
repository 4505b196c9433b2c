package memory

import (
	"context"

	"engram/memory/internal/learnt"
)

type (
	// LearntInput says whose candidates for facts to list.
	LearntInput = learnt.Input
	// LearntResult lists sentences of sessions that may be worth a fact.
	LearntResult = learnt.Result
	// LearntCandidate is one of them.
	LearntCandidate = learnt.Candidate
	// DecideLearntInput says what becomes of candidates.
	DecideLearntInput = learnt.DecideInput
	// DecideLearntResult says what was decided.
	DecideLearntResult = learnt.DecideResult
)

// Learnt lists what sessions offer as facts.
func (m *Memory) Learnt(ctx context.Context, in LearntInput) (LearntResult, error) {
	return m.learnt.List(ctx, in)
}

// AcceptLearnt commits candidates as facts.
func (m *Memory) AcceptLearnt(ctx context.Context, in DecideLearntInput) (DecideLearntResult, error) {
	return m.learnt.Accept(ctx, in)
}

// RejectLearnt has candidates not offered again in this clone.
func (m *Memory) RejectLearnt(ctx context.Context, in DecideLearntInput) (DecideLearntResult, error) {
	return m.learnt.Reject(ctx, in)
}
