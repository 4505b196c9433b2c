package compare

import (
	"fmt"

	"engram/memory/internal/core"
)

// ReadState reads a state file of audits; ok is false if it is missing or damaged.
func (m *Comparer) ReadState(file string, into any) (ok bool) {
	return core.ReadJSON(m.AuditPath(file), into)
}

// WriteState replaces a state file of audits.
func (m *Comparer) WriteState(file string, state any) error {
	if err := core.WriteJSON(m.AuditPath(file), state); err != nil {
		return fmt.Errorf("remember the audit: %w", err)
	}
	return nil
}
