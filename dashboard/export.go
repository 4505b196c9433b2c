package dashboard

import (
	"context"

	"engram/dashboard/internal/export"
	"engram/memory"
)

type (
	// ExportInput says where a copy of the dashboard is written, and for whom.
	ExportInput struct {
		Dir      string // new, empty, or a copy that was written before
		Agent    string // the reader whose permissions hold; "" is a person
		Progress func(done, total int)
	}
	// ExportResult says what was written.
	ExportResult = export.Result
)

// ErrFolder reports a folder that a copy must not replace.
var ErrFolder = export.ErrFolder

// Export writes a copy of the pages as files, which show what the reader may see now. The error wraps
// ErrFolder if the folder is not fit; until all is written, the folder stays as it was.
func (d *Dashboard) Export(ctx context.Context, m *memory.Memory, in ExportInput) (ExportResult, error) {
	return export.Run(ctx, export.Input{Site: d.site, Memory: m, Dir: in.Dir, Agent: in.Agent, Progress: in.Progress})
}
