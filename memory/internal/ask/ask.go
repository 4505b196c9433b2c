// Package ask answers questions: query, get, list, log, recent, why, and what other
// memories know. It only reads.
package ask

import (
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
	"engram/memory/internal/source"
	"engram/memory/internal/write"
)

// Reader answers questions about a memory.
type Reader struct {
	*core.Memory
	audit  *audit.Auditor
	proof  *proof.Verifier
	source *source.Sources
	write  *write.Writer
}

// New returns the Reader of a memory.
func New(m *core.Memory) *Reader {
	return &Reader{Memory: m, audit: audit.New(m), proof: proof.New(m), source: source.New(m), write: write.New(m)}
}
