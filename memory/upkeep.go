package memory

import (
	"context"
	"io"

	"engram/memory/internal/core"
	"engram/memory/internal/health"
	"engram/memory/internal/purge"
	"engram/memory/internal/transfer"
	"engram/memory/internal/write"
)

type (
	// DoctorInput are the settings of an examination.
	DoctorInput = health.DoctorInput
	// DoctorResult says what is well and what is not.
	DoctorResult = health.DoctorResult
	// Check is one thing that was examined.
	Check = core.Check
	// Severity says how much a finding matters.
	Severity = health.Severity
	// Finding is one finding of Lint.
	Finding = health.Finding
	// LintResult is the findings of Lint.
	LintResult = health.LintResult
	// StagedFile is a file of the memory branch that a commit by git would write.
	StagedFile = health.StagedFile
	// StagedResult says what is wrong with the staged files.
	StagedResult = health.StagedResult
	// StagedSecret is a text that must not be committed.
	StagedSecret = health.StagedSecret
	// StagedClash is a clash of a staged fact with another one.
	StagedClash = health.StagedClash
	// StatusResult is the state of a memory at a glance.
	StatusResult = health.StatusResult
	// StatusInput says who asks for it.
	StatusInput = health.StatusInput
	// Footprint is one thing that engram stores, and how to remove it.
	Footprint = core.Footprint
	// PurgeInput says what to remove from the history.
	PurgeInput = purge.PurgeInput
	// PurgeResult says what was purged, or would be, and what is left to do.
	PurgeResult = purge.PurgeResult
	// PurgedCommit is a commit, by its name before the purge.
	PurgedCommit = purge.PurgedCommit
	// Mention is a file that stays although it names a purged key or repeats a purged text.
	Mention = purge.Mention
	// Format is a format of imports and exports.
	Format = transfer.Format
	// ImportInput are the settings of an import.
	ImportInput = transfer.ImportInput
	// ImportResult says what an import did.
	ImportResult = transfer.ImportResult
	// Record is one line of a JSONL import or export.
	Record = write.Record
	// Reject is a record that was not imported.
	Reject = transfer.Reject
	// ExportInput narrows an export.
	ExportInput = transfer.ExportInput
	// ExportResult says what an export wrote.
	ExportResult = transfer.ExportResult
)

const (
	SeverityError        = health.SeverityError        // not a fact, or not valid
	SeverityNotCanonical = health.SeverityNotCanonical // a fact that engram would write in another way
	SeverityAdvice       = health.SeverityAdvice       // valid, but could be better
	JSONL                = transfer.JSONL              // one Record a line
	YAML                 = transfer.YAML               // facts as on the branch, separated by lines of ---
)

// Doctor examines git, the repository, the branch, the index, the sources, the model and the
// remote, each check independent of the others.
func (m *Memory) Doctor(ctx context.Context, in DoctorInput) (DoctorResult, error) {
	return m.health.Doctor(ctx, in)
}

// Status reports the state of the memory and changes nothing, not even the index.
func (m *Memory) Status(ctx context.Context, in StatusInput) (StatusResult, error) {
	return m.health.Status(ctx, in)
}

// Lint checks every file of the branch, or only the given texts as keys.
func (m *Memory) Lint(ctx context.Context, keys []string) (LintResult, error) {
	return m.health.Lint(ctx, keys)
}

// CheckStaged examines what a commit by git on the memory branch would write: secrets, findings
// of Lint, and clashes by the rules alone.
func (m *Memory) CheckStaged(ctx context.Context, files []StagedFile) (StagedResult, error) {
	return m.health.CheckStaged(ctx, files)
}

// Purge removes facts from the branch's whole history: every version, what commit messages say
// of them, and the conflicts that quote them.
func (m *Memory) Purge(ctx context.Context, in PurgeInput) (PurgeResult, error) {
	return m.purge.Purge(ctx, in)
}

// Import writes many facts in one commit; if a record is not valid it writes none and returns
// an *ImportError.
func (m *Memory) Import(ctx context.Context, r io.Reader, in ImportInput) (ImportResult, error) {
	return m.transfer.Import(ctx, r, in)
}

// Export writes facts to w, by key, in a form that Import reads.
func (m *Memory) Export(ctx context.Context, w io.Writer, in ExportInput) (ExportResult, error) {
	return m.transfer.Export(ctx, w, in)
}
