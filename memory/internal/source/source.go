// Package source manages the other memories that are read beside this one, and publishes
// facts to them.
package source

import (
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// Sources manages the memories that are read beside a memory.
type Sources struct {
	*core.Memory
	audit *audit.Auditor
	write *write.Writer
}

// New returns the Sources of a memory.
func New(m *core.Memory) *Sources {
	return &Sources{Memory: m, audit: audit.New(m), write: write.New(m)}
}
