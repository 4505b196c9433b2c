// Package budget keeps what agents may still pull: grants, turns and the log of what they
// exchanged. What a grant means is up to package bus; what was used up is kept by
// bus/ledger.
package budget

import (
	"engram/memory/internal/core"
)

// Limiter answers what agents have used up, and notes what they do.
type Limiter struct {
	*core.Memory
}

// New returns the Limiter of a memory.
func New(m *core.Memory) *Limiter {
	return &Limiter{Memory: m}
}
