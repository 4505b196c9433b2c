// Package exchange is the memory as agents exchange it: engrams, messages, tasks, grants
// and retrieval. What a message must look like is up to package bus.
package exchange

import (
	"engram/memory/internal/ask"
	"engram/memory/internal/audit"
	"engram/memory/internal/brief"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
	"engram/memory/internal/proof"
	"engram/memory/internal/write"
)

// Bus serves the messages between agents from a memory.
type Bus struct {
	*core.Memory
	ask    *ask.Reader
	audit  *audit.Auditor
	brief  *brief.Briefer
	budget *budget.Limiter
	deref  *deref.Reader
	proof  *proof.Verifier
	write  *write.Writer
}

// New returns the Bus of a memory.
func New(m *core.Memory) *Bus {
	return &Bus{Memory: m, ask: ask.New(m), audit: audit.New(m), brief: brief.New(m), budget: budget.New(m), deref: deref.New(m), proof: proof.New(m), write: write.New(m)}
}
