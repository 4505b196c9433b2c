package memory

import (
	"context"

	"engram/facts"
	"engram/memory/internal/audit"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/judge"
	"engram/memory/internal/resolve"
)

type (
	// Conflict is two facts that cannot both hold, as surfaces show it.
	Conflict = core.Conflict
	// Clash is the contradiction between two facts, as surfaces show it.
	Clash = core.Clash
	// Span is a part of a claim, in bytes.
	Span = core.Span
	// AuditInput says what to audit; the zero value audits what changed since the last audit
	// of this clone.
	AuditInput = audit.AuditInput
	// AuditResult says what an audit examined and what it found.
	AuditResult = audit.AuditResult
	// CheckInput says what to check and what makes the check fail.
	CheckInput = audit.CheckInput
	// CheckResult says whether a memory is free of open conflicts.
	CheckResult = audit.CheckResult
	// Checked is a conflict, and whether it fails the check.
	Checked = audit.Checked
	// ConflictsInput narrows a list of conflicts.
	ConflictsInput = audit.ConflictsInput
	// ConflictsResult is the queue of conflicts, grouped by scope, the most severe first.
	ConflictsResult = audit.ConflictsResult
	// ForeignClash is a fact of this memory (side a) and one of a source that cannot both
	// hold, by the rules.
	ForeignClash = audit.ForeignClash
	// FamiliesResult says how often each family of findings was right in this memory.
	FamiliesResult = audit.FamiliesResult
	// FamilyStats are the findings of one family, and what was decided about them.
	FamilyStats = audit.FamilyStats
	// ThresholdsResult says what the scores of an NLI model mean in this repository.
	ThresholdsResult = audit.ThresholdsResult
	// Violation is a change on the branch that the team's policy forbids.
	Violation = audit.Violation
	// ResolveInput settles one conflict: by a winner, a merge, a dismissal, the last writer or
	// the higher confidence.
	ResolveInput = resolve.ResolveInput
	// ResolveResult says how a conflict was settled.
	ResolveResult = resolve.ResolveResult
	// JudgeInput is a list of verdicts on pairs of facts, by one judge.
	JudgeInput = judge.Input
	// PairVerdict is what somebody says of one pair of facts.
	PairVerdict = judge.Verdict
	// JudgeResult says what became of verdicts.
	JudgeResult = judge.Result
	// Judged says what became of one verdict.
	Judged = judge.Judged
	// UndecidedPair is a pair of facts that nobody has judged.
	UndecidedPair = judge.Undecided
	// UndecidedInput narrows a list of pairs that nobody has judged.
	UndecidedInput = judge.UndecidedInput
	// UndecidedResult lists pairs that nobody has judged.
	UndecidedResult = judge.UndecidedResult
	// Models are the models that an audit may ask in addition to the rules; the zero value has
	// none.
	Models = core.Models
	// Tag is a part of a text that a model takes for a name.
	Tag = compare.Tag
)

// Words of answers about conflicts, and bounds of an audit.
const (
	AllStatuses        = audit.AllStatuses        // asks for conflicts of every status
	DefaultNLIBudget   = compare.DefaultNLIBudget // the number of pairs that an audit asks an NLI model about by default
	MaxUndecided       = judge.MaxPairs           // the number of pairs that a clone keeps for judgement
	ViolatesPermission = audit.ViolatesPermission // kinds of violations
	ViolatesRate       = audit.ViolatesRate
	ViolatesSignature  = audit.ViolatesSignature
)

// Audit compares the facts that changed with all others, and opens and closes conflicts, in one
// commit.
func (m *Memory) Audit(ctx context.Context, in AuditInput) (AuditResult, error) {
	return m.audit.Audit(ctx, in)
}

// Check reports open conflicts: those on the branch, and those that the rules find in facts
// that were not audited yet or that changed between two revisions.
func (m *Memory) Check(ctx context.Context, in CheckInput) (CheckResult, error) {
	return m.audit.Check(ctx, in)
}

// Conflicts lists the conflicts on the branch, and those that the rules find in facts that
// arrived since the last audit, if there are few.
func (m *Memory) Conflicts(ctx context.Context, in ConflictsInput) (ConflictsResult, error) {
	return m.audit.Conflicts(ctx, in)
}

// Resolve settles an open conflict and changes its facts, in one commit.
func (m *Memory) Resolve(ctx context.Context, in ResolveInput) (ResolveResult, error) {
	return m.resolve.Resolve(ctx, in)
}

// Judge records verdicts on pairs of facts, in one commit. It settles no conflict that was found
// by other means, and ends no fact.
func (m *Memory) Judge(ctx context.Context, in JudgeInput) (JudgeResult, error) {
	return m.judge.Record(ctx, in)
}

// Undecided lists the pairs that the rules could not decide and nobody has judged.
func (m *Memory) Undecided(ctx context.Context, in UndecidedInput) (UndecidedResult, error) {
	return m.judge.Undecided(ctx, in)
}

// PairVerdicts returns every verdict on a pair of facts.
func PairVerdicts() []string { return judge.Verdicts() }

// Families returns how often each family of findings was right in this memory, and which are
// wrong too often to open conflicts.
func (m *Memory) Families(ctx context.Context) (FamiliesResult, error) {
	return m.audit.Families(ctx)
}

// Thresholds derives the thresholds of an NLI model from how people decided on earlier
// findings.
func (m *Memory) Thresholds(ctx context.Context) (ThresholdsResult, error) {
	return m.audit.Thresholds(ctx)
}

// Compare compares two facts by rules alone.
func Compare(a, b facts.Fact) (Clash, bool) { return compare.Compare(a, b) }

// Tiers returns the name of every tier of detection, in the order in which they run.
func Tiers() []string { return compare.Tiers() }

// Statuses returns every status of a conflict.
func Statuses() []string { return compare.Statuses() }

// Severities returns every severity, the most severe first.
func Severities() []string { return compare.Severities() }

// Verdicts returns every verdict.
func Verdicts() []string { return compare.Verdicts() }
