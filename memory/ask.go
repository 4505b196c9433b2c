package memory

import (
	"context"

	"engram/memory/internal/ask"
)

type (
	// SourceAnswer says what of a source an answer reflects.
	SourceAnswer = ask.SourceAnswer
	// Explanation says what the score of a hit is made of.
	Explanation = ask.Explanation
	// HistoryInput names a key, and how much of its history is asked for.
	HistoryInput = ask.HistoryInput
	// HistoryResult is what became of a key, newest first.
	HistoryResult = ask.HistoryResult
	// NamesInput asks for names that somebody is about to type.
	NamesInput = ask.NamesInput
	// NamesResult is the keys, or the scopes, of facts that hold or will: first those that
	// begin with the text, then those that have it elsewhere, each by name.
	NamesResult = ask.NamesResult
	// QueryInput is a question and what narrows it.
	QueryInput = ask.QueryInput
	// QueryResult is the answer to a question.
	QueryResult = ask.QueryResult
	// Hit is one fact found, as briefly as it can be judged; Get gives the rest.
	Hit = ask.Hit
	// FactResult is one fact.
	FactResult = ask.FactResult
	// GetInput names a fact, and from when.
	GetInput = ask.GetInput
	// ListInput narrows a list.
	ListInput = ask.ListInput
	// ListResult is a list of facts by key.
	ListResult = ask.ListResult
	// RecentInput narrows what is recent.
	RecentInput = ask.RecentInput
	// RecentResult is what began to hold last, newest first.
	RecentResult = ask.RecentResult
	// SinceInput asks for what is new.
	SinceInput = ask.SinceInput
	// SinceResult is a page of what is new, the oldest first.
	SinceResult = ask.SinceResult
	// WhyInput names lines of the code.
	WhyInput = ask.WhyInput
	// WhyResult is what is known about lines of the code.
	WhyResult = ask.WhyResult
	// WhyFact is a fact that stands on a line.
	WhyFact = ask.WhyFact
	// Absence says why a key is not among the results.
	Absence = ask.Absence
)

const (
	// DefaultLimit: hits, seed 4
	DefaultLimit = ask.DefaultLimit
	// MaxLimit: hits, seed 4
	MaxLimit = ask.MaxLimit
	// DefaultBudget: tokens an answer, seed 4
	DefaultBudget = ask.DefaultBudget
	// ModeLexical: by words, hash keys and entities
	ModeLexical = ask.ModeLexical
	// ModeHybrid: and by the vectors of a model
	ModeHybrid     = ask.ModeHybrid
	SignalWords    = ask.SignalWords
	SignalKeys     = ask.SignalKeys
	SignalEntities = ask.SignalEntities
	SignalVectors  = ask.SignalVectors
)

// History follows a key through the branch's commits.
func (m *Memory) History(ctx context.Context, in HistoryInput) (HistoryResult, error) {
	return m.ask.History(ctx, in)
}

// Names finds keys or scopes by a part of them, of facts that may be read.
func (m *Memory) Names(ctx context.Context, in NamesInput) (NamesResult, error) {
	return m.ask.Names(ctx, in)
}

// Query finds the facts that answer a question, best first.
func (m *Memory) Query(ctx context.Context, in QueryInput) (QueryResult, error) {
	return m.ask.Query(ctx, in)
}

// Get reads the fact at a key: the version that stands there or, where the input says so,
// the one that held at another time, or that was known then.
func (m *Memory) Get(ctx context.Context, in GetInput) (FactResult, error) {
	return m.ask.Get(ctx, in)
}

// List reads facts straight from the branch, by key.
func (m *Memory) List(ctx context.Context, in ListInput) (ListResult, error) {
	return m.ask.List(ctx, in)
}

// Recent lists the current facts that began to hold last, newest first.
func (m *Memory) Recent(ctx context.Context, in RecentInput) (RecentResult, error) {
	return m.ask.Recent(ctx, in)
}

// FactsSince lists the facts of reach org or global that were committed after a moment, as
// they stand, ended ones too: the federation read of seed 4, phase 6.
func (m *Memory) FactsSince(ctx context.Context, in SinceInput) (SinceResult, error) {
	return m.ask.FactsSince(ctx, in)
}

// Why lists the facts that stand on lines of the work tree as it is (without one, of HEAD),
// also those whose lines moved since, or whose file git says was renamed to this one.
func (m *Memory) Why(ctx context.Context, in WhyInput) (WhyResult, error) {
	return m.ask.Why(ctx, in)
}
