package audit

import (
	"context"

	"engram/memory/internal/core"
)

// TellDisputed says of facts that stand on the tip whether they are sides of an
// open conflict.
func (m *Auditor) TellDisputed(ctx context.Context, tip string, list ...*core.Fact) error {
	seen, err := m.AuditedAt(ctx, tip, nil)
	if err != nil {
		return err
	}
	for _, f := range list {
		blob, err := m.Store.BlobAt(ctx, tip, f.Key.Path())
		if err != nil {
			return err
		}
		f.HasConflict = seen.HasConflict(ctx, f.Key, blob)
	}
	return nil
}
