package memory

import (
	"context"

	"engram/facts"
	"engram/memory/internal/review"
	"engram/memory/internal/write"
)

type (
	// PolicyResult is what a team agreed on in engram.yml.
	PolicyResult = review.PolicyResult
	// SetPolicyInput is a new text of engram.yml.
	SetPolicyInput = review.SetPolicyInput
	// SetPolicyResult says what changed.
	SetPolicyResult = review.SetPolicyResult
	// Proposal is a fact that awaits a decision.
	Proposal = review.Proposal
	// ProposalsInput narrows the list of proposals.
	ProposalsInput = review.ProposalsInput
	// ProposalsResult is the list of proposals.
	ProposalsResult = review.ProposalsResult
	// Decision names a proposal in the version that was seen.
	Decision = review.Decision
	// ReviewInput is the decisions of a reviewer.
	ReviewInput = review.ReviewInput
	// ReviewResult says what was decided.
	ReviewResult = review.ReviewResult
	// Decided is a proposal that was accepted or rejected.
	Decided = write.Decided
)

// Policy reads what the team agreed on.
func (m *Memory) Policy(ctx context.Context) (PolicyResult, error) { return m.review.Policy(ctx) }

// SetPolicy replaces engram.yml, in one commit.
func (m *Memory) SetPolicy(ctx context.Context, in SetPolicyInput) (SetPolicyResult, error) {
	return m.review.SetPolicy(ctx, in)
}

// Editor returns the shell command with which git edits texts.
func (m *Memory) Editor(ctx context.Context) (string, error) { return m.review.Editor(ctx) }

// Proposals lists what is proposed, with what each proposal would replace and clash with.
func (m *Memory) Proposals(ctx context.Context, in ProposalsInput) (ProposalsResult, error) {
	return m.review.Proposals(ctx, in)
}

// ProposedKeys returns the keys that have a proposal.
func (m *Memory) ProposedKeys(ctx context.Context) (keys []facts.Key, err error) {
	return m.review.ProposedKeys(ctx)
}

// Accept moves proposals to the memory branch, all of them in one commit or none.
func (m *Memory) Accept(ctx context.Context, in ReviewInput) (ReviewResult, error) {
	return m.review.Accept(ctx, in)
}

// Reject removes proposals; the commit on the branch of proposals records the reason.
func (m *Memory) Reject(ctx context.Context, in ReviewInput) (ReviewResult, error) {
	return m.review.Reject(ctx, in)
}
