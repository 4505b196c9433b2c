package write

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// Binder resolves the branch that drafts are bound to. It serves one request.
type Binder struct {
	m     *Writer
	trunk *gitstore.Trunk // read at the first use
}

// NewBinder returns a Binder.
func (m *Writer) NewBinder() *Binder { return &Binder{m: m} }

// Bind replaces the branch that a draft names by its full name, and rejects branches that
// facts cannot be bound to.
func (b *Binder) Bind(ctx context.Context, d *Draft) (err error) {
	if d.Fact.Branch == "" || d.restored {
		return nil
	}
	if d.operation == facts.OpDelete {
		return core.UsageErrorf(hint.Hint{}, "name the key at which the fact stands that is to be retired, and no branch")
	}
	d.Fact.Branch, err = b.branch(ctx, d.Fact.Branch)
	return err
}

// branch is the name of a branch that facts can be bound to.
func (b *Binder) branch(ctx context.Context, name string) (string, error) {
	if name == core.CurrentBranch {
		if name = b.m.Store.CodeBranch(); name == "" {
			return "", fmt.Errorf("%w: HEAD is not on a branch of code", core.ErrNoCodeBranch)
		}
	}
	if b.m.Store.MemoryBranch(name) {
		return "", fmt.Errorf("%w: %s is a branch of the memory", core.ErrNoCodeBranch, name)
	}
	if b.trunk == nil {
		t, err := b.m.Trunk(ctx)
		if err != nil {
			return "", err
		}
		b.trunk = &t
	}
	if name == b.trunk.Name {
		return "", fmt.Errorf("%w: %s is what work is merged into", core.ErrOnTrunk, name)
	}
	return name, nil
}

// bind settles where a fact stands that is stated on a branch.
//
//  1. It continues, by lineage or by its own key, a fact that is bound to the
//     branch: where that one stands.
//  2. It continues a fact that holds for all: beside that one, which stays.
//  3. It has a key: beside that key, where its next version will be as well.
//  4. It has none: beside a fresh one.
func (p *Planner) bind(ctx context.Context, next *facts.Fact) (err error) {
	if next.Branch == "" || !next.For.IsZero() && next.Key == facts.Bind(next.For, next.Branch) {
		return nil
	}
	var old facts.Fact
	if next.Lineage != "" {
		old, err = p.byLineage(ctx, next.Lineage)
	} else if !next.Key.IsZero() {
		old, _, err = p.At(ctx, next.Key)
	}
	if err != nil {
		return err
	}
	switch {
	case old.Branch == next.Branch: // 1.
		moved := !next.Key.IsZero() && next.Key != old.Key && next.Key != old.Target()
		if !moved {
			next.Key, next.For = old.Key, old.For
			return nil
		}
	case old.Branch != "":
		return core.UsageErrorf(hint.New("switch to that branch or name it, or write under another key"), "%s is bound to the branch %s", old.Key, old.Branch)
	case next.Lineage != "": // 2.
		next.Lineage = ""
		if next.Key.IsZero() {
			next.Key = old.Key
		}
	}
	if next.Key.IsZero() {
		if next.Key, err = p.freshKey(ctx, *next); err != nil {
			return err
		}
	}
	next.For, next.Key = next.Key, facts.Bind(next.Key, next.Branch)
	return nil
}

// stayBound keeps a version bound that continues a bound fact and names no branch.
func stayBound(next *facts.Fact, old facts.Fact) {
	if next.Branch != "" || old.Branch == "" {
		return
	}
	next.Branch = old.Branch
	if next.Key == old.Key || next.Key == old.Target() {
		next.Key, next.For = old.Key, old.For
	} else {
		next.For, next.Key = next.Key, facts.Bind(next.Key, next.Branch)
	}
}

// Settled is a bound fact that was promoted or retired.
type Settled struct {
	Branch string    `json:"branch"`
	Bound  facts.Key `json:"bound_key"` // where it stood
	Key    facts.Key `json:"key"`       // where it stands now; where it stood, if it was dropped
	Claim  string    `json:"claim"`
	FactID string    `json:"fact_id"`
	// Replaced is what stood at the key and claims something else: it is in the
	// key's history now.
	Replaced *Replaced `json:"replaced,omitempty"`
	// Rival: what stands at the key was written after the bound fact and claims
	// something else, so this stands beside it, at Key, for a person to settle.
	Rival bool `json:"rival"`
}

// Replaced is a version that a promoted one took the place of.
type Replaced struct {
	FactID string `json:"fact_id"`
	Claim  string `json:"claim"`
}

// PromoteBound makes a bound fact hold for all, and ends the bound one. What stands
// at the key that it is for:
//
//  1. Nothing, or nothing that holds: it goes on there.
//  2. A fact that claims the same: its next version, if there is anything to add.
//  3. One that claims something else, and was written before the bound one, whose
//     author could know it: its next version.
//  4. One that claims something else and was written since: that stands, and the
//     promoted fact becomes its rival, the same in every clone that promotes it.
func (p *Planner) PromoteBound(ctx context.Context, old facts.Fact, why string) (Settled, error) {
	target := old.Target()
	s := Settled{Branch: old.Branch, Bound: old.Key, Key: target, Claim: old.Claim}
	standing, found, err := p.At(ctx, target)
	if err != nil {
		return s, err
	}
	next := unbound(old, p.Now)
	lines := len(p.Lines)
	differs := facts.ContentHash(standing.Claim) != facts.ContentHash(old.Claim)
	switch {
	case !found || target == old.Key || !core.CurrentOrScheduled(standing, p.Now): // 1.
		s.FactID, err = p.replace(next, old, old)
	case !differs && addsNothing(next, standing): // 2.
		s.FactID = standing.ID
		p.end(old, p.Now)
	case differs && standing.Provenance.CreatedAt.After(old.Provenance.CreatedAt): // 4.
		s.Rival = true
		s.Key, s.FactID, err = p.rival(ctx, old)
	default: // 2. and 3.
		if differs {
			s.Replaced = &Replaced{standing.ID, standing.Claim}
		}
		next.Lineage = ""
		s.FactID, err = p.replace(next, standing, old)
	}
	if err == nil {
		p.Lines = append(p.Lines[:lines], boundLine("promote", s.Key, why, old.Claim))
	}
	return s, err
}

// unbound is the version that a bound fact becomes where it is promoted. An end that
// was coming stays where it was.
func unbound(old facts.Fact, now time.Time) facts.Fact {
	next := old.Clone()
	next.Key, next.For, next.Branch = old.Target(), facts.Key{}, ""
	next.ID, next.Operation, next.Supersedes = "", "", ""
	next.ValidUntil, next.TTL = old.Window().Until, ""
	next.Provenance.CreatedAt = time.Time{}
	if old.StateAt(now) != facts.Scheduled {
		next.ValidFrom = time.Time{}
	}
	return next
}

// replace puts a promoted version at its key, as the next of what it continues, and
// ends the bound one.
func (p *Planner) replace(next, continued, bound facts.Fact) (id string, err error) {
	result, err := p.Put(next, continued, true)
	if err == nil && bound.Key != next.Key {
		p.end(bound, p.pending[next.Key].ValidFrom)
	}
	return result.FactID, err
}

// rival puts a promoted fact beside the one that was written since. One that a clone
// has put there, and that may be settled by now, stays as it is.
func (p *Planner) rival(ctx context.Context, old facts.Fact) (facts.Key, string, error) {
	loser := old.Clone()
	loser.Key, loser.For, loser.Branch, loser.Operation = old.Target(), facts.Key{}, "", ""
	r := facts.Rival(loser)
	at, found, err := p.At(ctx, r.Key)
	if err != nil {
		return r.Key, "", err
	}
	if found {
		r = at
	} else if err := facts.Validate(r, p.Manifest); err != nil {
		return r.Key, "", err
	} else {
		p.Set(r)
	}
	p.end(old, p.Now)
	return r.Key, r.ID, nil
}

// boundLine is a line of a commit message with the reason in front of the claim.
func boundLine(verb string, key facts.Key, why, claim string) string {
	head := verb + " " + key.String()
	why = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, why)
	return head + " (" + why + ")" + strings.TrimPrefix(core.MessageLine(verb, key, claim), head)
}

// maxTold is up to how many facts of one commit are looked at for others that hold
// in their place.
const maxTold = 20

// tellStandIns warns of facts that this work tree will not show, because something
// else holds in their place on its branch.
func (m *Writer) tellStandIns(ctx context.Context, results []CommitResult) {
	branch := m.Store.CodeBranch()
	if branch == "" || len(results) > maxTold {
		return
	}
	q := index.Query{Branch: branch, Now: m.Moment()}
	for i, r := range results {
		key, err := facts.ParseKey(r.Key)
		if err != nil || r.Branch != "" || r.Duplicate || r.MemoryOp == string(facts.OpDelete) {
			continue
		}
		if said, err := m.OverrideNotes(ctx, r.Revision, q, key); err == nil {
			results[i].Warnings = append(results[i].Warnings, said...)
		}
	}
}
