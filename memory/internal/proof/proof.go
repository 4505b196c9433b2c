// Package proof checks evidence against a state of the code: verdicts on pointers, engram
// verify, and which evidence a change of the code would break. Package evidence defines
// what a pointer means within a file. Nothing here writes to the branch.
package proof

import (
	"engram/memory/internal/core"
)

// Verifier checks the evidence of a memory's facts. It is safe for concurrent use.
type Verifier struct {
	*core.Memory
}

// New returns the Verifier of a memory.
func New(m *core.Memory) *Verifier {
	return &Verifier{Memory: m}
}
