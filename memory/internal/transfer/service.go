// Package transfer imports and exports facts as JSON lines and YAML.
package transfer

import (
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// Porter imports and exports the facts of a memory.
type Porter struct {
	*core.Memory
	write *write.Writer
}

// New returns the Porter of a memory.
func New(m *core.Memory) *Porter {
	return &Porter{Memory: m, write: write.New(m)}
}
