// Package proof checks evidence against the checkout at hand: the verdicts on pointers,
// engram verify, and what a commit of code would break. What a pointer means within a file
// is up to package evidence. Nothing here writes.
package proof

import (
	"engram/memory/internal/core"
)

// Verifier checks the evidence of a memory's facts.
type Verifier struct {
	*core.Memory
}

// New returns the Verifier of a memory.
func New(m *core.Memory) *Verifier {
	return &Verifier{Memory: m}
}
