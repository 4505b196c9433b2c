package memory

import (
	"context"

	"engram/memory/internal/health"
)

type (
	// DoctorInput are the settings of an examination.
	DoctorInput = health.DoctorInput
	// DoctorResult says what is well and what is not.
	DoctorResult = health.DoctorResult
	// Severity says how much a finding matters.
	Severity = health.Severity
	// Finding is one thing that Lint has to say.
	Finding = health.Finding
	// LintResult is what Lint found.
	LintResult = health.LintResult
	// StagedFile is a file of the memory branch that a commit made by git would write.
	StagedFile = health.StagedFile
	// StagedResult says what is wrong with what is staged.
	StagedResult = health.StagedResult
	// StagedSecret is a text that may not be committed.
	StagedSecret = health.StagedSecret
	// StagedClash is a clash of a staged fact with another one.
	StagedClash = health.StagedClash
	// StatusResult is the state of a memory at a glance.
	StatusResult = health.StatusResult
)

const (
	// SeverityError: not a fact, or not valid
	SeverityError = health.SeverityError
	// SeverityNotCanonical: a fact, written in another way than engram writes it
	SeverityNotCanonical = health.SeverityNotCanonical
	SeverityAdvice       = health.SeverityAdvice
)

// Doctor examines the repository, the branch and the index, each check independent of the
// others: 1. git: a version that syncs what it writes. 2. writable: objects can be written.
// 3. identity: a name to commit under. 4. branch: a memory of a known format. 5. checkout:
// nobody has the branch checked out. 6. facts: every file is one, and canonical. 7.
// removed: no file was removed instead of retired. 8. purged: nothing that was purged came
// back. 9. index: opens, and is built from this history. 10. sources, where there are any:
// each was fetched and is a memory. 11. model: the one that was chosen is there and embeds.
// 12. visibility: who can read the remote that the memory is shared with.
func (m *Memory) Doctor(ctx context.Context, in DoctorInput) (DoctorResult, error) {
	return m.health.Doctor(ctx, in)
}

// Lint checks every file of the branch, or only the given texts as keys.
func (m *Memory) Lint(ctx context.Context, keys []string) (LintResult, error) {
	return m.health.Lint(ctx, keys)
}

// CheckStaged examines what a commit made by git on the memory branch would write: secrets,
// what Lint finds, and clashes by the rules alone.
func (m *Memory) CheckStaged(ctx context.Context, files []StagedFile) (StagedResult, error) {
	return m.health.CheckStaged(ctx, files)
}

// Status looks and changes nothing, not even the index.
func (m *Memory) Status(ctx context.Context) (StatusResult, error) {
	return m.health.Status(ctx)
}
