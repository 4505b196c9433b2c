package memory

import (
	"context"

	"engram/memory/internal/branches"
)

type (
	// BranchesResult says what became of the facts that are bound to code branches.
	BranchesResult = branches.BranchesResult
	// PromoteInput says which bound facts to promote.
	PromoteInput = branches.PromoteInput
)

// SettleBranches promotes the facts whose code branch was merged and retires those whose
// branch was dropped, in one commit.
func (m *Memory) SettleBranches(ctx context.Context) (BranchesResult, error) {
	return m.branches.SettleBranches(ctx)
}

// PromoteBranch promotes facts that are bound to a branch, whatever became of it.
func (m *Memory) PromoteBranch(ctx context.Context, in PromoteInput) (BranchesResult, error) {
	return m.branches.PromoteBranch(ctx, in)
}
