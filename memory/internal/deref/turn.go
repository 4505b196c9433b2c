package deref

import (
	"context"
	"fmt"
	"time"

	"engram/internal/hint"
	"engram/memory/internal/core"
)

// TurnResult is what an agent has read in its turn, and what is left.
type TurnResult struct {
	core.Answer
	Agent  string `json:"agent"`
	Used   Turn   `json:"used"`
	Limits Turn   `json:"limits"`
	Left   Turn   `json:"left"`
	// Ends is when the turn ends unless something else ends it; null if no turn is
	// running, since a turn begins with its first excerpt.
	Ends *time.Time `json:"ends"`
}

// Turn reports what is left of an agent's turn, without using any of it. It needs no
// memory branch. A person has no budget: the error wraps ErrUsage.
func (m *Reader) Turn(ctx context.Context, agent string) (TurnResult, error) {
	if err := core.NormalizeAgents(&agent); err != nil {
		return TurnResult{}, err
	}
	if agent == "" {
		return TurnResult{}, core.UsageErrorf(hint.New("name an agent, as in %s", hint.Do(hint.ShowTurn, "NAME")), "people have no turns, and no budget")
	}
	revision, err := m.budget.RevisionIfAny(ctx)
	if err != nil {
		return TurnResult{}, err
	}
	now, ends, err := m.Ledger.Running(agent)
	if err != nil {
		return TurnResult{}, fmt.Errorf("look up the turn: %w", err)
	}
	d := m.budget.Limits().Deref
	r := TurnResult{Answer: core.AnswerAt(revision), Agent: agent, Used: now, Limits: Turn{RepoSpans: d.RepoSpans, ArtifactSections: d.ArtifactSections, SAMItems: d.SAMItems, Tokens: d.Tokens}}
	// Never less than 0: the limits may have been lowered since.
	r.Left = Turn{
		RepoSpans: max(d.RepoSpans-now.RepoSpans, 0), ArtifactSections: max(d.ArtifactSections-now.ArtifactSections, 0),
		SAMItems: max(d.SAMItems-now.SAMItems, 0), Tokens: max(d.Tokens-now.Tokens, 0),
	}
	if !ends.IsZero() {
		r.Ends = &ends
	}
	return r, nil
}
