package memory

import (
	"context"

	"engram/memory/internal/branches"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

type (
	// Fact is a fact as surfaces show it, with every field filled in.
	Fact = core.Fact
	// Pointer is a piece of evidence as surfaces show it.
	Pointer = core.Pointer
	// CommitInput is a claim and its metadata.
	CommitInput = write.CommitInput
	// CommitResult says what a commit did.
	CommitResult = write.CommitResult
	// Met is a fact that a written fact contradicts.
	Met = write.Met
	// DetectInput is a claim that is not written yet, and what to compare it with: another
	// claim, or the memory.
	DetectInput = write.DetectInput
	// DetectResult lists the clashes of a claim.
	DetectResult = write.DetectResult
	// BranchesResult says what happened to the facts that are bound to code branches.
	BranchesResult = branches.BranchesResult
	// PromoteInput says which bound facts to promote.
	PromoteInput = branches.PromoteInput
)

const (
	CurrentBranch = core.CurrentBranch // the code branch of this work tree
)

// Commit carries out one operation on the memory: add, update, delete or none. An invalid
// claim, or one that contains a secret, is rejected before anything is written.
func (m *Memory) Commit(ctx context.Context, in CommitInput) (CommitResult, error) {
	return m.write.Commit(ctx, in)
}

// Retire ends the fact at a key.
func (m *Memory) Retire(ctx context.Context, key, reason, agent string) (CommitResult, error) {
	return m.write.Retire(ctx, key, reason, agent)
}

// Promote makes an ephemeral fact durable by a new version without a TTL.
func (m *Memory) Promote(ctx context.Context, key, agent string) (CommitResult, error) {
	return m.write.Promote(ctx, key, agent)
}

// Detect reports what a claim would clash with, by the rules alone.
func (m *Memory) Detect(ctx context.Context, in DetectInput) (DetectResult, error) {
	return m.write.Detect(ctx, in)
}

// SettleBranches promotes the facts whose code branch was merged and retires those whose branch
// was dropped, in one commit.
func (m *Memory) SettleBranches(ctx context.Context) (BranchesResult, error) {
	return m.branches.SettleBranches(ctx)
}

// PromoteBranch promotes the facts that are bound to a branch, whatever happened to that
// branch.
func (m *Memory) PromoteBranch(ctx context.Context, in PromoteInput) (BranchesResult, error) {
	return m.branches.PromoteBranch(ctx, in)
}
