// Package compare finds the facts that a fact may contradict, and compares each pair by the
// rules and, if they are configured, by models. It decides nothing about conflicts; package
// audit does.
package compare

import (
	"engram/memory/internal/core"
)

// Comparer compares facts of a memory.
type Comparer struct {
	*core.Memory
}

// New returns the Comparer of a memory.
func New(m *core.Memory) *Comparer {
	return &Comparer{Memory: m}
}
