// Package ask answers questions: query, get, list, log, recent, why, also from other
// memories (sources). It writes nothing to the branch, except that a query promotes
// ephemeral facts that were found often enough.
package ask

import (
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
	"engram/memory/internal/source"
	"engram/memory/internal/write"
)

// Reader answers questions about a memory. It is safe for concurrent use.
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
