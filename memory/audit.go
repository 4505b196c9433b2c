package memory

import (
	"context"

	"engram/memory/internal/audit"
)

type (
	// AuditInput says what to audit; the zero value is what changed since the last audit of
	// this clone.
	AuditInput = audit.AuditInput
	// AuditResult says what an audit looked at, and what it found.
	AuditResult = audit.AuditResult
	// CheckInput says what to check, and what fails it.
	CheckInput = audit.CheckInput
	// CheckResult says whether a memory is free of open conflicts.
	CheckResult = audit.CheckResult
	// Checked is a conflict, and whether it fails the check.
	Checked = audit.Checked
	// ConflictsInput narrows a list of conflicts.
	ConflictsInput = audit.ConflictsInput
	// ConflictsResult is the queue of conflicts, grouped by scope, the gravest first.
	ConflictsResult = audit.ConflictsResult
	// ForeignClash is a fact of this memory and one of a source that cannot both hold, as the
	// rules have it; ours is side a.
	ForeignClash = audit.ForeignClash
	// ThresholdsResult says what the scores of an NLI model mean in this repository.
	ThresholdsResult = audit.ThresholdsResult
	// Violation is something on the branch that the team's policy would not have let be
	// written: made with plain git, with a changed engram, or on another machine.
	Violation = audit.Violation
)

const (
	// AllStatuses asks for conflicts of every status.
	AllStatuses        = audit.AllStatuses
	ViolatesPermission = audit.ViolatesPermission
	ViolatesRate       = audit.ViolatesRate
	ViolatesSignature  = audit.ViolatesSignature
)

// Audit holds facts that changed against all others, and writes and closes conflicts
// accordingly, in one commit.
func (m *Memory) Audit(ctx context.Context, in AuditInput) (AuditResult, error) {
	return m.audit.Audit(ctx, in)
}

// Check reports open conflicts: those on the branch, and those that the rules find in what
// no audit of this clone has seen, or in what changed between two revisions.
func (m *Memory) Check(ctx context.Context, in CheckInput) (CheckResult, error) {
	return m.audit.Check(ctx, in)
}

// Conflicts lists what the branch has, as the facts stand now, and what the rules find in
// the facts that arrived since the last audit, if these are few.
func (m *Memory) Conflicts(ctx context.Context, in ConflictsInput) (ConflictsResult, error) {
	return m.audit.Conflicts(ctx, in)
}

// Thresholds works the thresholds out of what people said of earlier findings.
func (m *Memory) Thresholds(ctx context.Context) (ThresholdsResult, error) {
	return m.audit.Thresholds(ctx)
}

// Violations lists what changed between two revisions and goes against the policy; "" as in
// AuditInput.
func (m *Memory) Violations(ctx context.Context, from, to string) ([]Violation, error) {
	return m.audit.Violations(ctx, from, to)
}
