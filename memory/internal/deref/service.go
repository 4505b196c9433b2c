// Package deref reads what stands behind a pointer: it completes short forms, finds the
// place, and cuts the excerpt to the tokens that were paid for.
package deref

import (
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// Reader reads what pointers of a memory point at.
type Reader struct {
	*core.Memory
	budget *budget.Limiter
	proof  *proof.Verifier
}

// New returns the Reader of a memory.
func New(m *core.Memory) *Reader {
	return &Reader{Memory: m, budget: budget.New(m), proof: proof.New(m)}
}
