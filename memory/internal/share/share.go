// Package share shares a memory through git remotes: it begins, joins, invites, fetches,
// merges, pushes and watches.
package share

import (
	"engram/memory/internal/audit"
	"engram/memory/internal/branches"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/purge"
	"engram/memory/internal/source"
	"engram/memory/internal/write"
)

// Sharer shares a memory through git remotes.
type Sharer struct {
	*core.Memory
	audit    *audit.Auditor
	branches *branches.Settler
	compare  *compare.Comparer
	purge    *purge.Purger
	source   *source.Sources
	write    *write.Writer
}

// New returns the Sharer of a memory.
func New(m *core.Memory) *Sharer {
	return &Sharer{Memory: m, audit: audit.New(m), branches: branches.New(m), compare: compare.New(m), purge: purge.New(m), source: source.New(m), write: write.New(m)}
}
