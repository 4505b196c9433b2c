// Package budget reports what agents may still read: limits, grants, turns and the log of
// what they exchanged. Package bus defines what a grant means; bus/ledger records what was
// used.
package budget

import (
	"engram/memory/internal/core"
)

// Limiter reports what agents have used up and records what they do. It is safe for
// concurrent use.
type Limiter struct {
	*core.Memory
}

// New returns the Limiter of a memory.
func New(m *core.Memory) *Limiter {
	return &Limiter{Memory: m}
}
