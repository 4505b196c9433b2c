// Package codebranch observes the code branches that facts are bound to. What becomes of
// such facts is up to package branches.
package codebranch

import (
	"engram/memory/internal/core"
)

// Watcher observes the code branches of a memory's repository.
type Watcher struct {
	*core.Memory
}

// New returns the Watcher of a memory.
func New(m *core.Memory) *Watcher {
	return &Watcher{Memory: m}
}
