package write

import (
	"context"
	"slices"
	"strings"
	"time"

	"engram/bus"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/compare"
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
	offers  []compare.Offer // pairs that somebody should judge

	conflictLines []string          // of the commit message
	examiner      *compare.Examiner // that compared what is planned; nil if none has

	// Ending are the keys of facts that this commit is about to end.
	Ending  []facts.Key
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
	if agent != "" {
		p.charged[agent] = true
	}
}

// predecessor finds the open fact that next continues, and settles next's key.
//
//  1. A lineage: the fact of that lineage, at next's key or at its own.
//  2. A key where an open fact stands: that fact.
//  3. Anything else continues nothing; without a key it gets a new one.
func (p *Planner) predecessor(ctx context.Context, next *facts.Fact) (old facts.Fact, continues bool, err error) {
	if next.Lineage == "" {
		return p.openAt(ctx, next)
	}
	if old, err = p.byLineage(ctx, next.Lineage); err != nil {
		return old, false, err
	}
	if next.Key.IsZero() {
		next.Key = old.Key
	}
	return old, true, nil
}

// openAt finds the open fact at next's key, and gives next a new key if it has none.
func (p *Planner) openAt(ctx context.Context, next *facts.Fact) (old facts.Fact, open bool, err error) {
	if next.Key.IsZero() {
		next.Key, err = p.freshKey(ctx, *next)
		return facts.Fact{}, false, err
	}
	old, found, err := p.At(ctx, next.Key)
	if err != nil || !found {
		return facts.Fact{}, false, err
	}
	return old, core.CurrentOrScheduled(old, p.Now), nil
}

// duplicate finds a current fact that makes the same claim in the same scope. A version of
// that fact is no duplicate if it adds something. A delegated task or its result belongs to one
// agent, so the same words at another key are no duplicate.
func (p *Planner) duplicate(ctx context.Context, next facts.Fact) (facts.Fact, bool, error) {
	hash := facts.ContentHash(next.Claim)
	task := next.Key.Namespace == bus.TaskNamespace && (strings.HasPrefix(next.Claim, bus.TaskMark) || strings.HasPrefix(next.Claim, bus.ResultMark))
	same, found, err := p.find(ctx, core.LookupQuery{Hash: hash, Scope: next.Scope}, func(f facts.Fact) bool {
		return (!task || f.Key == next.Key) && facts.ContentHash(f.Claim) == hash && f.Scope == next.Scope && core.VisibleOn(f, next.Branch) && f.StateAt(p.Now) == facts.Current
	})
	if err != nil || !found {
		return same, false, err
	}
	if next.Key == same.Key || next.Lineage == same.Lineage {
		return same, addsNothing(next, same), nil
	}
	return same, true, nil
}
