// Package review lists, accepts and rejects proposed facts, and reads and changes the
// policy that asks for reviews.
package review

import (
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// Reviewer decides what was proposed to a memory.
type Reviewer struct {
	*core.Memory
	compare *compare.Comparer
	write   *write.Writer
}

// New returns the Reviewer of a memory.
func New(m *core.Memory) *Reviewer {
	return &Reviewer{Memory: m, compare: compare.New(m), write: write.New(m)}
}
