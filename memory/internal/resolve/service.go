// Package resolve settles conflicts: by a winner, a merged claim, or a dismissal.
package resolve

import (
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// Resolver settles the conflicts of a memory.
type Resolver struct {
	*core.Memory
	audit *audit.Auditor
	write *write.Writer
}

// New returns the Resolver of a memory.
func New(m *core.Memory) *Resolver {
	return &Resolver{Memory: m, audit: audit.New(m), write: write.New(m)}
}
