package memory

import (
	"context"

	"engram/memory/internal/brief"
)

type (
	// BriefInput says for what work the brief is.
	BriefInput = brief.BriefInput
	// BriefResult is what an agent should know before it starts.
	BriefResult = brief.BriefResult
	// BriefConflict is an open conflict in short; Conflicts has the rest.
	BriefConflict = brief.BriefConflict
	// BriefFact is a fact in short; Get has the rest.
	BriefFact = brief.BriefFact
	// BroadcastInput says for whom a shared brief is.
	BroadcastInput = brief.BroadcastInput
)

const (
	// DefaultBriefBudget: tokens, the inline budget of seed 1 §3.1
	DefaultBriefBudget = brief.DefaultBriefBudget
	// WhyRule: it is a constraint, decision, policy or risk
	WhyRule = brief.WhyRule
	// WhyWords: it has words of the branch or of changed files
	WhyWords = brief.WhyWords
	// WhyNewest: it is new, and nothing else concerns the work
	WhyNewest = brief.WhyNewest
)

// Brief gathers what an agent should know before it starts: open conflicts, then
// constraints, then what is relevant to a branch and its changed files, then decisions,
// policies and risks, as far as the budget goes.
func (m *Memory) Brief(ctx context.Context, in BriefInput) (BriefResult, error) {
	return m.brief.Brief(ctx, in)
}
