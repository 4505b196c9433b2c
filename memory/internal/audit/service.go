// Package audit finds contradictions between facts, keeps them as conflict facts on the
// branch, and says what is disputed. It compares by package compare. People settle
// conflicts through package resolve.
package audit

import (
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// Auditor finds and keeps the conflicts of a memory.
type Auditor struct {
	*core.Memory
	compare *compare.Comparer
	proof   *proof.Verifier
}

// New returns the Auditor of a memory.
func New(m *core.Memory) *Auditor {
	return &Auditor{Memory: m, compare: compare.New(m), proof: proof.New(m)}
}
