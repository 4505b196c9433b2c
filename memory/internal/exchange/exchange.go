// Package exchange serves what agents exchange: engrams, messages, tasks, grants and
// retrieved passages. Package bus defines the form of messages.
package exchange

import (
	"engram/memory/internal/archive"
	"engram/memory/internal/ask"
	"engram/memory/internal/audit"
	"engram/memory/internal/brief"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
	"engram/memory/internal/proof"
	"engram/memory/internal/write"
)

// Bus serves the messages between agents from a memory. It is safe for concurrent use.
type Bus struct {
	*core.Memory
	archive *archive.Archive
	ask     *ask.Reader
	audit   *audit.Auditor
	brief   *brief.Briefer
	budget  *budget.Limiter
	deref   *deref.Reader
	proof   *proof.Verifier
	write   *write.Writer
}

// New returns the Bus of a memory.
func New(m *core.Memory) *Bus {
	return &Bus{Memory: m, archive: archive.New(m), ask: ask.New(m), audit: audit.New(m), brief: brief.New(m), budget: budget.New(m), deref: deref.New(m), proof: proof.New(m), write: write.New(m)}
}
