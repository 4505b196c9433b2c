package compare

import (
	"fmt"
	"time"

	"engram/facts"
	"engram/memory/internal/core"
)

// ScheduledFact is a fact that begins later than it was audited.
type ScheduledFact struct {
	Key   facts.Key `json:"key"`
	Blob  string    `json:"blob"`
	Begin time.Time `json:"begin"`
}

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
