package memory

import (
	"context"
	"io"

	"engram/memory/internal/transfer"
)

type (
	// Format is a format of imports and exports.
	Format = transfer.Format
	// ImportInput are the settings of an import.
	ImportInput = transfer.ImportInput
	// ImportResult says what an import did.
	ImportResult = transfer.ImportResult
	// Reject is a record that was not imported.
	Reject = transfer.Reject
	// ImportError lists every record at fault; nothing was written.
	ImportError = transfer.ImportError
	// ExportInput narrows an export.
	ExportInput = transfer.ExportInput
	// ExportResult says what an export wrote.
	ExportResult = transfer.ExportResult
)

const (
	// JSONL: one Record a line
	JSONL = transfer.JSONL
	// YAML: facts as on the branch, separated by lines of ---
	YAML = transfer.YAML
)

// Import writes many facts in one commit: all of them, or none where one is not valid (an
// *ImportError then).
func (m *Memory) Import(ctx context.Context, r io.Reader, in ImportInput) (ImportResult, error) {
	return m.transfer.Import(ctx, r, in)
}

// Export writes facts to w, by key, in a form that Import reads back.
func (m *Memory) Export(ctx context.Context, w io.Writer, in ExportInput) (ExportResult, error) {
	return m.transfer.Export(ctx, w, in)
}
