package memory

import (
	"context"

	"engram/facts"
	"engram/memory/internal/review"
)

type (
	// PolicyResult is what a team agreed on, as engram.yml says it.
	PolicyResult = review.PolicyResult
	// SetPolicyInput is a new text of engram.yml.
	SetPolicyInput = review.SetPolicyInput
	// SetPolicyResult says what changed.
	SetPolicyResult = review.SetPolicyResult
	// Proposal is a fact that waits for somebody to accept it.
	Proposal = review.Proposal
	// ProposalsInput narrows what is listed.
	ProposalsInput = review.ProposalsInput
	// ProposalsResult is what is proposed.
	ProposalsResult = review.ProposalsResult
	// Decision names a proposal, as it was seen.
	Decision = review.Decision
	// ReviewInput is what somebody decided.
	ReviewInput = review.ReviewInput
	// ReviewResult says what was decided.
	ReviewResult = review.ReviewResult
)

var (
	// ErrPolicyMoved reports that somebody else has changed engram.yml meanwhile.
	ErrPolicyMoved = review.ErrPolicyMoved
	// ErrNoProposal: nothing is proposed at that key.
	ErrNoProposal = review.ErrNoProposal
)

// Policy reads what the team agreed on.
func (m *Memory) Policy(ctx context.Context) (PolicyResult, error) {
	return m.review.Policy(ctx)
}

// SetPolicy replaces engram.yml, in one commit.
func (m *Memory) SetPolicy(ctx context.Context, in SetPolicyInput) (SetPolicyResult, error) {
	return m.review.SetPolicy(ctx, in)
}

// Editor is the command, for a shell, that git edits texts with.
func (m *Memory) Editor(ctx context.Context) (string, error) {
	return m.review.Editor(ctx)
}

// Proposals lists what is proposed, with what it would replace and what it would clash
// with.
func (m *Memory) Proposals(ctx context.Context, in ProposalsInput) (ProposalsResult, error) {
	return m.review.Proposals(ctx, in)
}

// ProposedKeys are the keys at which something is proposed.
func (m *Memory) ProposedKeys(ctx context.Context) (keys []facts.Key, err error) {
	return m.review.ProposedKeys(ctx)
}

// Accept puts proposals on the memory branch, all of them in one commit or none, and takes
// them off the branch of proposals.
func (m *Memory) Accept(ctx context.Context, in ReviewInput) (ReviewResult, error) {
	return m.review.Accept(ctx, in)
}

// Reject takes proposals off the branch of proposals; the reason is in the commit there.
func (m *Memory) Reject(ctx context.Context, in ReviewInput) (ReviewResult, error) {
	return m.review.Reject(ctx, in)
}
