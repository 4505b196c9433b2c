// Package write writes facts: it plans what a commit means against the tip of the branch,
// checks policy, and applies the plan. What an audit or a review writes is planned here as
// well.
package write

import (
	"engram/memory/internal/audit"
	"engram/memory/internal/budget"
	"engram/memory/internal/codebranch"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
	"engram/memory/internal/proof"
)

// Writer writes facts to a memory.
type Writer struct {
	*core.Memory
	audit      *audit.Auditor
	budget     *budget.Limiter
	codebranch *codebranch.Watcher
	compare    *compare.Comparer
	deref      *deref.Reader
	proof      *proof.Verifier
}

// New returns the Writer of a memory.
func New(m *core.Memory) *Writer {
	return &Writer{Memory: m, audit: audit.New(m), budget: budget.New(m), codebranch: codebranch.New(m), compare: compare.New(m), deref: deref.New(m), proof: proof.New(m)}
}
