// Package branches settles what becomes of facts that are bound to a code branch once the
// branch has landed or is gone.
package branches

import (
	"engram/memory/internal/codebranch"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// Settler settles the facts that are bound to code branches.
type Settler struct {
	*core.Memory
	codebranch *codebranch.Watcher
	write      *write.Writer
}

// New returns the Settler of a memory.
func New(m *core.Memory) *Settler {
	return &Settler{Memory: m, codebranch: codebranch.New(m), write: write.New(m)}
}
