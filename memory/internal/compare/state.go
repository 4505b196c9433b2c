package compare

import (
	"fmt"

	"engram/memory/internal/core"
)

// ReadState reads a file of an audit; ok is false where it cannot be used.
func (m *Comparer) ReadState(file string, into any) (ok bool) {
	return core.ReadJSON(m.AuditPath(file), into)
}

func (m *Comparer) WriteState(file string, state any) error {
	if err := core.WriteJSON(m.AuditPath(file), state); err != nil {
		return fmt.Errorf("remember the audit: %w", err)
	}
	return nil
}
