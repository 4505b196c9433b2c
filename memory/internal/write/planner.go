package write

import (
	"context"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// Planner decides, against one revision, what drafts become. It is used for one attempt
// and then discarded.
type Planner struct {
	m        *Writer
	Tip      string
	Manifest facts.Manifest
	Engineer string // named in the facts; "" in anonymous mode
	Author   string // the address that the review policy checks, also in anonymous mode; "" if the policy needs none
	Now      time.Time

	// Set if the tip is that of the proposal branch: the tip of the memory branch, which
	// the index knows, and the proposals beside it.
	memoryTip string
	proposals []Proposal

	lookup  lookup
	pending map[facts.Key]facts.Fact         // what this commit writes
	written map[core.LookupQuery][]facts.Key // the keys of pending by content and by lineage
	Results []CommitResult
	Lines   []string        // of the commit message
	charged map[string]bool // agents whose rate this commit counts against
}

func (p *Planner) writes() []gitstore.Write {
	writes := make([]gitstore.Write, 0, len(p.pending))
	for key, f := range p.pending {
		writes = append(writes, gitstore.Write{Path: key.Path(), Data: facts.Marshal(f)})
	}
	slices.SortFunc(writes, func(a, b gitstore.Write) int { return strings.Compare(a.Path, b.Path) })
	return writes
}

// At reads the fact at a key as of this commit.
func (p *Planner) At(ctx context.Context, key facts.Key) (facts.Fact, bool, error) {
	if f, ok := p.pending[key]; ok {
		return f, true, nil
	}
	if key.IsZero() {
		return facts.Fact{}, false, nil
	}
	return p.m.FactAt(ctx, p.Tip, key)
}

// Set writes f at its key, without any checks.
func (p *Planner) Set(f facts.Fact) {
	if p.Manifest.AnonymousMode { // also of a fact that was written before
		f.Provenance.Engineer = ""
	}
	p.pending[f.Key] = f
	for _, q := range []core.LookupQuery{{Hash: facts.ContentHash(f.Claim), Scope: f.Scope}, {Lineage: f.Lineage}} {
		p.written[q] = append(p.written[q], f.Key)
	}
}

// Charge counts the commit against the rate of an agent, if anything is written.
func (p *Planner) Charge(agent string) {
	if agent == "" {
		return
	}
	if p.charged == nil {
		p.charged = make(map[string]bool)
	}
	p.charged[agent] = true
}
