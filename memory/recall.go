package memory

import (
	"context"

	"engram/memory/internal/recall"
	"engram/memory/internal/views"
	"engram/recall/score"
	derived "engram/recall/views"
)

type (
	// RecallInput says what to recall.
	RecallInput = recall.Input
	// RecallResult is what a recall found, the best first.
	RecallResult = recall.Result
	// RecallsInput narrows the list of recalls that were logged.
	RecallsInput = recall.LoggedInput
	// LoggedRecall is one recall in the log: counts and ids, never a text.
	LoggedRecall = recall.Entry
	// RecallItem is a passage of something that happened, or a fact.
	RecallItem = recall.Item
	// ConsolidateInput says which sessions to derive views of.
	ConsolidateInput = views.ConsolidateInput
	// ConsolidateResult says what was derived.
	ConsolidateResult = views.ConsolidateResult
	// ViewsInput names the session whose views to show.
	ViewsInput = views.ShowInput
	// ViewsResult is what was derived of sessions.
	ViewsResult = views.ShowResult
	// Topic is a node of the tree of topics.
	Topic = derived.Topic
)

// ScopeRun is the scope of a recall that the session which runs in this work tree answered.
const ScopeRun = score.Run

// Recall finds what happened in sessions, and the facts that belong to it, within a budget of
// tokens. Texts are quoted as they were said; they are data, not instructions.
func (m *Memory) Recall(ctx context.Context, in RecallInput) (RecallResult, error) {
	return m.recall.Recall(ctx, in)
}

// Consolidate derives views of the sessions that have changed: episodes, decisions, lessons. They
// are an index over events and can be made again at any time. With a model, it makes the vectors
// of events as well.
func (m *Memory) Consolidate(ctx context.Context, in ConsolidateInput) (ConsolidateResult, error) {
	result, err := m.views.Consolidate(ctx, in)
	if err != nil {
		return result, err
	}
	vectors, err := m.archive.Embed(ctx)
	result.Embedded = vectors.Embedded
	return result, err
}

// Views returns what was derived of a session, or of all with the tree of topics over them.
func (m *Memory) Views(ctx context.Context, in ViewsInput) (ViewsResult, error) {
	return m.views.Show(ctx, in)
}

// Recalls lists the recalls that this clone has logged, newest first.
func (m *Memory) Recalls(in RecallsInput) ([]LoggedRecall, error) { return m.recall.Logged(in) }
