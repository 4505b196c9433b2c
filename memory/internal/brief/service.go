// Package brief says what an agent should know before it starts, cut to a budget of tokens.
package brief

import (
	"engram/memory/internal/ask"
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
	"engram/memory/internal/proof"
)

// Briefer writes briefs from a memory.
type Briefer struct {
	*core.Memory
	ask   *ask.Reader
	audit *audit.Auditor
	deref *deref.Reader
	proof *proof.Verifier
}

// New returns the Briefer of a memory.
func New(m *core.Memory) *Briefer {
	return &Briefer{Memory: m, ask: ask.New(m), audit: audit.New(m), deref: deref.New(m), proof: proof.New(m)}
}
