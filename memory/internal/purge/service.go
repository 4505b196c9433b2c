// Package purge removes facts from the whole history, by rewriting it, and whatever was
// derived from them.
package purge

import (
	"engram/memory/internal/audit"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// Purger removes facts from the history of a memory.
type Purger struct {
	*core.Memory
	audit   *audit.Auditor
	compare *compare.Comparer
}

// New returns the Purger of a memory.
func New(m *core.Memory) *Purger {
	return &Purger{Memory: m, audit: audit.New(m), compare: compare.New(m)}
}
