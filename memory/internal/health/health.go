// Package health checks a memory: doctor, status, lint, and what a commit by git on the
// memory branch has staged.
package health

import (
	"engram/memory/internal/ask"
	"engram/memory/internal/audit"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/purge"
	"engram/memory/internal/review"
	"engram/memory/internal/share"
	"engram/memory/internal/source"
)

// Doctor checks the state of a memory. It is safe for concurrent use.
type Doctor struct {
	*core.Memory
	ask     *ask.Reader
	audit   *audit.Auditor
	compare *compare.Comparer
	purge   *purge.Purger
	review  *review.Reviewer
	share   *share.Sharer
	source  *source.Sources
}

// New returns the Doctor of a memory.
func New(m *core.Memory) *Doctor {
	return &Doctor{Memory: m, ask: ask.New(m), audit: audit.New(m), compare: compare.New(m), purge: purge.New(m), review: review.New(m), share: share.New(m), source: source.New(m)}
}
