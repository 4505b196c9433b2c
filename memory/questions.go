package memory

import (
	"context"

	"engram/facts"
	"engram/memory/internal/ask"
	"engram/memory/internal/brief"
	"engram/memory/internal/core"
)

type (
	// QueryInput is a question and the filters that narrow it.
	QueryInput = ask.QueryInput
	// QueryResult is the answer to a question.
	QueryResult = ask.QueryResult
	// Hit is one fact that a question found, in short; Get returns the whole fact.
	Hit = ask.Hit
	// Explanation lists the parts of a hit's score.
	Explanation = ask.Explanation
	// Absence says why a key is not among the results.
	Absence = ask.Absence
	// SourceAnswer says which state of a source an answer reflects.
	SourceAnswer = ask.SourceAnswer
	// GetInput names a fact and, optionally, a moment in the past.
	GetInput = ask.GetInput
	// FactResult is one fact.
	FactResult = ask.FactResult
	// ListInput narrows a list.
	ListInput = ask.ListInput
	// ListResult is a list of facts, by key.
	ListResult = ask.ListResult
	// RecentInput narrows the list of recent facts.
	RecentInput = ask.RecentInput
	// RecentResult is the facts that began to hold last, newest first.
	RecentResult = ask.RecentResult
	// HistoryInput names a key and says how much of its history to read.
	HistoryInput = ask.HistoryInput
	// HistoryResult is the history of a key, newest first.
	HistoryResult = ask.HistoryResult
	// Version is one commit that changed a key.
	Version = core.Version
	// SegmentsInput asks how a key goes on.
	SegmentsInput = ask.SegmentsInput
	// SegmentsResult is how a key goes on, by name.
	SegmentsResult = ask.SegmentsResult
	// NamesInput asks for completions of a key or a scope.
	NamesInput = ask.NamesInput
	// NamesResult is the matching keys or scopes: those that begin with the text, then those
	// that contain it.
	NamesResult = ask.NamesResult
	// SinceInput asks for facts that were committed after a moment.
	SinceInput = ask.SinceInput
	// SinceResult is a page of new facts, oldest first.
	SinceResult = ask.SinceResult
	// WhyInput names lines of the code.
	WhyInput = ask.WhyInput
	// WhyResult is the facts about some lines of the code.
	WhyResult = ask.WhyResult
	// WhyFact is a fact whose evidence is on such a line.
	WhyFact = ask.WhyFact
	// BriefInput describes the work that a brief is for.
	BriefInput = brief.BriefInput
	// BriefResult is what an agent should know before it starts.
	BriefResult = brief.BriefResult
	// BriefConflict is an open conflict in short; Conflicts returns the rest.
	BriefConflict = brief.BriefConflict
	// BriefFact is a fact in short; Get returns the rest.
	BriefFact = brief.BriefFact
	// BriefPair is a pair of facts that nobody has judged, in short.
	BriefPair = brief.BriefPair
)

// Words and bounds of answers.
const (
	DefaultLimit       = ask.DefaultLimit         // the number of hits by default
	MaxLimit           = ask.MaxLimit             // the largest number of hits
	DefaultBudget      = ask.DefaultBudget        // the size of an answer by default, in tokens
	DefaultBriefBudget = brief.DefaultBriefBudget // the size of a brief by default, in tokens
	ModeLexical        = ask.ModeLexical          // by words, hash keys and entities
	ModeHybrid         = ask.ModeHybrid           // also by the vectors of a model
	SignalWords        = ask.SignalWords          // parts of an Explanation
	SignalKeys         = ask.SignalKeys
	SignalEntities     = ask.SignalEntities
	SignalVectors      = ask.SignalVectors
	WhyRule            = brief.WhyRule    // in a brief as a constraint, decision, policy or risk
	WhyWords           = brief.WhyWords   // in a brief because it shares words with the branch or the changed files
	WhyNewest          = brief.WhyNewest  // in a brief because it is new and nothing else concerns the work
	EveryBranch        = core.EveryBranch // asks about all code branches
	Ours               = core.Ours        // the origin of the facts of this memory
	NoSource           = core.NoSource    // asks this memory alone, without its sources
)

// Query finds the facts that answer a question, best first.
func (m *Memory) Query(ctx context.Context, in QueryInput) (QueryResult, error) {
	return m.ask.Query(ctx, in)
}

// Get reads the fact at a key: its current version, or the one that held or was known at
// another time.
func (m *Memory) Get(ctx context.Context, in GetInput) (FactResult, error) { return m.ask.Get(ctx, in) }

// List reads facts from the branch, by key.
func (m *Memory) List(ctx context.Context, in ListInput) (ListResult, error) {
	return m.ask.List(ctx, in)
}

// Recent lists the current facts that began to hold last, newest first.
func (m *Memory) Recent(ctx context.Context, in RecentInput) (RecentResult, error) {
	return m.ask.Recent(ctx, in)
}

// History lists the commits that changed a key, newest first.
func (m *Memory) History(ctx context.Context, in HistoryInput) (HistoryResult, error) {
	return m.ask.History(ctx, in)
}

// Names finds the keys or scopes that contain a text, among the facts that the caller may read.
func (m *Memory) Names(ctx context.Context, in NamesInput) (NamesResult, error) {
	return m.ask.Names(ctx, in)
}

// Segments lists how keys that begin with a text go on, for a shell that completes them.
func (m *Memory) Segments(ctx context.Context, in SegmentsInput) (SegmentsResult, error) {
	return m.ask.Segments(ctx, in)
}

// FactsSince lists the facts of reach org or global that were committed after a moment, ended
// ones too.
func (m *Memory) FactsSince(ctx context.Context, in SinceInput) (SinceResult, error) {
	return m.ask.FactsSince(ctx, in)
}

// Why lists the facts about lines of the work tree, or of HEAD in a bare repository; it follows
// lines that moved and files that were renamed.
func (m *Memory) Why(ctx context.Context, in WhyInput) (WhyResult, error) { return m.ask.Why(ctx, in) }

// Brief collects what an agent should know before it starts, as far as the budget allows: open
// conflicts, constraints, facts about the branch and its changed files, then decisions,
// policies and risks.
func (m *Memory) Brief(ctx context.Context, in BriefInput) (BriefResult, error) {
	return m.brief.Brief(ctx, in)
}

// KeyOf returns the key of the fact with an id, which may be that of any version or of the
// lineage.
func (m *Memory) KeyOf(ctx context.Context, id string) (facts.Key, error) {
	return m.core.KeyOf(ctx, id)
}
