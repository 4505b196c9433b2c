package audit

import (
	"fmt"

	"engram/gitstore"
)

func (m *Auditor) CheckNotCheckedOut() error {
	if tree := m.Store.CheckedOutAt(); tree != "" {
		return fmt.Errorf("%w in %s, so engram writes nothing", gitstore.ErrCheckedOut, tree)
	}
	return nil
}
