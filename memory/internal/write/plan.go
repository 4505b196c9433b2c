package write

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// Plan plans drafts in order and appends their results to Results.
func (p *Planner) Plan(ctx context.Context, drafts ...Draft) error {
	return p.m.withLookup(ctx, cmp.Or(p.memoryTip, p.Tip), drafts, func(l lookup) error {
		p.lookup = l.withProposals(p.proposals)
		for i, d := range drafts {
			result, err := p.planDraft(ctx, d)
			if err != nil {
				return inputError(len(drafts), i, err)
			}
			if p.Results = append(p.Results, result); result.MemoryOp != string(facts.OpNone) {
				p.Charge(d.author())
			}
			if len(drafts) > scanAbove {
				p.m.Progress("planning", i+1, len(drafts))
			}
		}
		return p.meet(ctx)
	})
}

// planDraft plans one draft:
//
//  1. The operation none: nothing.
//  2. The operation delete: the end of a fact.
//  3. A promotion: a change of durability.
//  4. A restored fact, which keeps its id, lineage and times.
//  5. Anything else: a stated fact, whose key and lineage the tip decides.
func (p *Planner) planDraft(ctx context.Context, d Draft) (CommitResult, error) {
	switch {
	case detect.IsConflict(d.Fact.Key) && !d.restored:
		return CommitResult{}, core.UsageErrorf(hint.New("%s settles it", hint.Do(hint.Resolve)), "%s is a conflict; only audits write conflicts", d.Fact.Key)
	case d.operation == facts.OpNone:
		return CommitResult{MemoryOp: string(facts.OpNone), Committed: p.Now}, nil
	case d.operation == facts.OpDelete:
		return p.Retire(ctx, d)
	case d.promoted:
		return p.promote(ctx, d)
	case d.restored:
		return p.restore(ctx, d)
	}
	return p.state(ctx, d)
}

// isHistory reports whether a record of an import is of a time before the version at its key, or
// is that version: an import that is repeated writes nothing.
func (p *Planner) isHistory(ctx context.Context, d Draft) (there facts.Fact, is bool, err error) {
	at := d.importedAt()
	if at.IsZero() || d.Fact.Key.IsZero() {
		return there, false, nil
	}
	there, found, err := p.At(ctx, d.Fact.Key)
	if err != nil || !found {
		return there, false, err
	}
	same := facts.ContentHash(there.Claim) == facts.ContentHash(d.Fact.Claim)
	return there, at.Before(there.ValidFrom) || same && at.Equal(there.ValidFrom), nil
}

// importedAt is the moment that a record of an import states. It is zero if it states none, and for
// any other draft.
func (d Draft) importedAt() time.Time {
	if !d.Imported {
		return time.Time{}
	}
	return d.Moment()
}

// restore plans a fact that returns as it was, unless the same version or a newer one
// stands already.
func (p *Planner) restore(ctx context.Context, d Draft) (CommitResult, error) {
	next := d.Fact.Clone()
	old, continues, err := p.openAt(ctx, &next)
	if err != nil {
		return CommitResult{}, err
	}
	if known, err := p.admit(ctx, d, &next, old, continues); err != nil || known {
		return duplicateOf(old), err
	}
	at, found, err := p.At(ctx, next.Key)
	if err != nil {
		return CommitResult{}, err
	}
	if found && facts.Compare(next, at) <= 0 {
		return knownAlready(d, next, at), nil
	}
	return p.Put(next, old, continues)
}

// state plans a fact that somebody states: a new one, the next version of one, or nothing
// if the same is known.
func (p *Planner) state(ctx context.Context, d Draft) (CommitResult, error) {
	if there, is, err := p.isHistory(ctx, d); err != nil || is {
		return duplicateOf(there), err
	}
	next := d.Fact.Clone()
	notes, warnings, err := p.settleNearest(ctx, d, &next)
	if err != nil {
		return CommitResult{}, err
	}
	if err := p.bind(ctx, &next); err != nil {
		return CommitResult{}, err
	}
	old, continues, err := p.predecessor(ctx, &next)
	if err != nil {
		return CommitResult{}, err
	}
	stayBound(&next, old)
	if continues {
		inherit(&next, old)
	} else if err := p.inheritTarget(ctx, d, &next); err != nil {
		return CommitResult{}, err
	}
	if known, err := p.admit(ctx, d, &next, old, continues); err != nil || known {
		return duplicateOf(old), err
	}
	same, found, err := p.duplicate(ctx, next)
	if err != nil {
		return CommitResult{}, err
	}
	// A record with a key or a detail of its own says more than another fact with its claim.
	own := d.Imported && (!d.Fact.Key.IsZero() || d.Fact.Detail != "")
	found = found && (!own || same.Key == next.Key || same.Lineage == next.Lineage)
	// A version that names its fact and changes the claim is written even if another fact
	// makes the same claim.
	corrects := continues && facts.ContentHash(old.Claim) != facts.ContentHash(next.Claim)
	if found && !corrects {
		return knownAlready(d, next, same), nil
	}
	r, err := p.Put(next, old, continues)
	r.Notes, r.Warnings = notes, append(warnings, r.Warnings...)
	return r, err
}

// admit validates a version and checks that the team's policy permits it, and removes the
// names that the policy keeps private. known reports that an agent restated somebody
// else's fact over the bus, so that nothing is to be written.
func (p *Planner) admit(ctx context.Context, d Draft, next *facts.Fact, old facts.Fact, continues bool) (known bool, err error) {
	if err := Precheck(Draft{Fact: *next}, p.Manifest); err != nil {
		return false, err
	}
	if err := p.permitPut(ctx, d, *next, old, continues); err != nil {
		return false, err
	}
	if err := p.permitReach(d, *next); err != nil {
		return false, err
	}
	if continues && d.overBus {
		if known, err := p.guardBus(d, *next, old); err != nil || known {
			return known, err
		}
	}
	return false, p.anonymize(ctx, d, next)
}

// knownAlready is the result for a draft whose claim stands already, as same.
func knownAlready(d Draft, next, same facts.Fact) CommitResult {
	r := duplicateOf(same)
	if !d.Fact.Key.IsZero() && d.Fact.Key != same.Key {
		r.Warnings = []string{fmt.Sprintf("%s says the same already, so nothing was written to %s", same.Key, d.Fact.Key)}
	}
	if couldNameCommit(same, next) {
		r.Warnings = append(r.Warnings, fmt.Sprintf("known already; its pointer still names no commit: engram verify %s --commit", same.Key))
	}
	return r
}

// inheritTarget is inherit for the first fact that is bound to a branch at a key. It
// takes the place of the fact that holds on all branches, so it needs the permission to
// write that one.
func (p *Planner) inheritTarget(ctx context.Context, d Draft, next *facts.Fact) error {
	if !next.IsBound() {
		return nil
	}
	standing, found, err := p.At(ctx, next.Target())
	if err != nil || !found || next.Target() == next.Key || !core.CurrentOrScheduled(standing, p.Now) {
		return err
	}
	if err := p.permit(d, standing.Scope); err != nil {
		return err
	}
	inherit(next, standing)
	return nil
}

// checkOpen rejects a change of the fact that a draft names unless it is open and may be
// written.
func (p *Planner) checkOpen(d Draft, named facts.Fact, found bool) error {
	if !found {
		return fmt.Errorf("%w: %s", core.ErrNotFound, d.Fact.Key)
	}
	if !core.CurrentOrScheduled(named, p.Now) {
		return fmt.Errorf("%w: %s is %s already", core.ErrNotFound, named.Key, named.StateAt(p.Now))
	}
	return p.permit(d, named.Scope)
}

// Retire ends a fact without replacement. Its file stays, with a closed window and with
// the provenance of its claim; the commit message says who retired it and why.
func (p *Planner) Retire(ctx context.Context, d Draft) (CommitResult, error) {
	old, found, err := p.At(ctx, d.Fact.Key)
	if d.Fact.Key.IsZero() {
		old, err = p.byLineage(ctx, d.Fact.Lineage)
		found = err == nil
	}
	if err != nil {
		return CommitResult{}, err
	}
	if d.Imported && err == nil && found && !core.CurrentOrScheduled(old, p.Now) { // repeated
		return duplicateOf(old), nil
	}
	if err := p.checkOpen(d, old, found); err != nil {
		return CommitResult{}, err
	}
	end := p.End(old, cmp.Or(d.importedAt(), p.Now))
	reason := d.Reason
	if agent := p.StoredName(d.Fact.Provenance.Agent); agent != "" {
		reason = facts.FoldSpace(reason + " (by " + agent + ")")
	}
	p.Lines = append(p.Lines, core.MessageLine("retire", end.Key, reason))
	r := resultOf(end)
	r.Committed = p.Now
	if branch := p.m.Store.CodeBranch(); branch != "" && !old.IsBound() {
		if bound, found, err := p.At(ctx, facts.Bind(end.Key, branch)); err == nil && found && core.CurrentOrScheduled(bound, p.Now) {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the fact bound to %s in its place, %s, stays open", branch, bound.Key))
		}
	}
	return r, nil
}
