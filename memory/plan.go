package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
)

// planner decides, against one revision, what drafts become. It is used for
// one attempt and thrown away.
type planner struct {
	m        *Memory
	ctx      context.Context // of the one call that the planner lives for
	tip      string
	manifest facts.Manifest
	engineer string
	author   string // whose address the gate goes by, also where no names are stored; "" where there is none
	now      time.Time
	look     lookup
	// Where the tip is that of the proposals: the tip of the memory branch, which
	// the index knows, and what is proposed beside it.
	looksAt string
	over    []proposal

	pending map[facts.Key]facts.Fact    // what this commit puts where
	written map[lookupQuery][]facts.Key // the same by content and by lineage
	results []CommitResult
	lines   []string        // of the commit message
	charged map[string]bool // agents that this commit is counted for
}

func (p *planner) plan(drafts []draft) error {
	return p.m.withLookup(p.ctx, orElse(p.looksAt, p.tip), drafts, func(look lookup) error {
		p.look = look.overlay(p.over)
		for i, d := range drafts {
			result, err := p.one(d)
			if err != nil {
				return inputError(len(drafts), i, err)
			}
			if p.results = append(p.results, result); result.MemoryOp != string(facts.OpNone) {
				p.charge(d.author())
			}
			if len(drafts) > scanAbove {
				p.m.progress("planning", i+1, len(drafts))
			}
		}
		return nil
	})
}

func (p *planner) writes() []gitstore.Write {
	writes := make([]gitstore.Write, 0, len(p.pending))
	for key, f := range p.pending {
		writes = append(writes, gitstore.Write{Path: key.Path(), Data: facts.Marshal(f)})
	}
	slices.SortFunc(writes, func(a, b gitstore.Write) int { return strings.Compare(a.Path, b.Path) })
	return writes
}

func (p *planner) one(d draft) (CommitResult, error) {
	if detect.IsConflict(d.fact.Key) && !d.restored {
		return CommitResult{}, wrong(hint.New("%s settles it", hint.Do(hint.Resolve)), "%s is a conflict; audits write these", d.fact.Key)
	}
	switch d.operation {
	case facts.OpNone:
		return CommitResult{MemoryOp: string(facts.OpNone), Committed: p.now}, nil
	case facts.OpDelete:
		return p.retire(d)
	}
	if d.promoted {
		return p.promote(d)
	}
	next := d.fact.Clone()
	notes, warnings, err := p.settleNearest(d, &next)
	if err != nil {
		return CommitResult{}, err
	}
	if err := p.bind(&next, d.restored); err != nil {
		return CommitResult{}, err
	}
	old, continues, err := p.predecessor(&next, d.restored)
	if err != nil {
		return CommitResult{}, err
	}
	if !d.restored {
		stayBound(&next, old)
	}
	if continues && !d.restored {
		inherit(&next, old)
	}
	if !continues && !d.restored {
		if err := p.inheritTarget(d, &next); err != nil {
			return CommitResult{}, err
		}
	}
	if err := precheck(draft{fact: next}, p.manifest); err != nil {
		return CommitResult{}, err
	}
	if err := p.permitPut(d, next, old, continues); err != nil {
		return CommitResult{}, err
	}
	if err := p.permitReach(d, next); err != nil {
		return CommitResult{}, err
	}
	if continues && d.overBus {
		if known, err := p.guardBus(d, next, old); err != nil || known {
			return duplicateOf(old), err
		}
	}
	if err := p.disguise(d, &next); err != nil {
		return CommitResult{}, err
	}
	same, found, err := p.duplicate(next, d.restored)
	if err != nil {
		return CommitResult{}, err
	}
	// Who names a fact that claims something else means that one to say so, too.
	corrects := continues && !d.restored && facts.ContentHash(old.Claim) != facts.ContentHash(next.Claim)
	if found && !corrects {
		r := duplicateOf(same)
		if !d.fact.Key.IsZero() && d.fact.Key != same.Key {
			r.Warnings = []string{fmt.Sprintf("%s says the same already, so nothing was written to %s", same.Key, d.fact.Key)}
		}
		if couldNameCommit(same, next) {
			r.Warnings = append(r.Warnings, fmt.Sprintf("known already; its pointer still names no commit: engram verify %s --commit", same.Key))
		}
		return r, nil
	}
	r, err := p.put(next, old, continues)
	r.Notes, r.Warnings = notes, append(warnings, r.Warnings...)
	return r, err
}

// inheritTarget is inherit for the first fact that is bound to a branch at a key: it
// takes the place of what holds for all, and who may not write that may not bind.
func (p *planner) inheritTarget(d draft, next *facts.Fact) error {
	if !next.IsBound() {
		return nil
	}
	standing, found, err := p.at(next.Target())
	if err != nil || !found || next.Target() == next.Key || !open(standing, p.now) {
		return err
	}
	if err := p.permit(d, standing.Scope); err != nil {
		return err
	}
	inherit(next, standing)
	return nil
}

// inherit keeps what a new version says of the topic where it does not say it
// anew. What supports a claim (evidence, pointers, detail, confidence, TTL)
// goes with the claim and is not passed on.
func inherit(next *facts.Fact, old facts.Fact) {
	next.Scope = orElse(next.Scope, old.Scope)
	if next.Kind == "" {
		next.Kind = old.Kind
	}
	if next.Type == "" {
		next.Type = old.Type
	}
	if next.Reach == "" {
		next.Reach = old.Reach
	}
	if len(next.Tags) == 0 {
		next.Tags = slices.Clone(old.Tags)
	}
	if len(next.Unknown) == 0 { // of a later format: not ours to drop
		next.Unknown = slices.Clone(old.Unknown)
	}
}

// duplicate finds an open fact that says the same in the same scope. A version
// for the key where that fact stands is no duplicate if it states something
// new about it; a restored one is if it, or something newer, stands already.
func (p *planner) duplicate(next facts.Fact, restored bool) (facts.Fact, bool, error) {
	if restored {
		at, found, err := p.at(next.Key)
		return at, found && facts.Compare(next, at) <= 0, err
	}
	hash := facts.ContentHash(next.Claim)
	same, found, err := p.find(lookupQuery{hash: hash, scope: next.Scope}, func(f facts.Fact) bool {
		return facts.ContentHash(f.Claim) == hash && f.Scope == next.Scope && seenOn(f, next.Branch) && f.StateAt(p.now) == facts.Current
	})
	if err != nil || !found {
		return same, false, err
	}
	if next.Key == same.Key || next.Lineage == same.Lineage {
		return same, addsNothing(next, same), nil
	}
	return same, true, nil
}

// couldNameCommit reports whether a fact that stands has a pointer without a commit to a
// file for which a restatement of it has one.
func couldNameCommit(standing, again facts.Fact) bool {
	for _, p := range standing.Pointers {
		a, err := facts.ParseRef(p.Ref)
		if err != nil || !a.InRepository() || a.Commit != "" {
			continue
		}
		for _, q := range again.Pointers {
			if b, err := facts.ParseRef(q.Ref); err == nil && b.Commit != "" && b.Type == a.Type && b.Path == a.Path {
				return true
			}
		}
	}
	return false
}

// addsNothing reports whether everything that next states, old says already.
func addsNothing(next, old facts.Fact) bool {
	merged := old.Clone()
	overlay(&merged, next)
	return string(facts.Marshal(merged)) == string(facts.Marshal(old))
}

// overlay sets in f what next states about the claim.
func overlay(f *facts.Fact, next facts.Fact) {
	set(&f.Claim, next.Claim)
	set(&f.Detail, next.Detail)
	set(&f.Kind, next.Kind)
	set(&f.Type, next.Type)
	set(&f.Reach, next.Reach)
	set(&f.TTL, next.TTL)
	set(&f.Durability, next.Durability)
	set(&f.ValidUntil, next.ValidUntil)
	set(&f.Provenance.Evidence, next.Provenance.Evidence)
	if next.Confidence != nil {
		f.Confidence = next.Confidence
	}
	if len(next.Tags) > 0 {
		f.Tags = next.Tags
	}
	if len(next.Pointers) > 0 {
		f.Pointers = next.Pointers
	}
}

func set[T comparable](field *T, value T) {
	var zero T
	if value != zero {
		*field = value
	}
}

// put makes next the newest version at its key. Where it continues old, it
// takes over old's lineage.
func (p *planner) put(next, old facts.Fact, continues bool) (CommitResult, error) {
	var warnings []string
	p.stamp(&next)
	if continues {
		next.Lineage, next.Supersedes, next.Operation = old.Lineage, old.ID, facts.OpUpdate
		if !next.ValidFrom.After(old.ValidFrom) {
			warnings = append(warnings, fmt.Sprintf("it was to begin %s, but the version it replaces begins %s; this one begins right after it",
				next.ValidFrom.Format(time.RFC3339), old.ValidFrom.Format(time.RFC3339)))
			beginAfter(&next, old)
		}
	} else if next.Lineage == "" {
		next.Lineage = next.ID
	}
	if err := facts.Validate(next, p.manifest); err != nil {
		return CommitResult{}, err
	}
	if continues && old.Key != next.Key {
		p.close(old, next.ValidFrom)
	}
	p.set(next)
	verb, text := string(next.WithDefaults().Operation), next.Claim
	if next.Operation == facts.OpDelete { // restored
		verb = "retire"
	}
	p.lines = append(p.lines, messageLine(verb, next.Key, text))
	return CommitResult{
		FactID: next.ID, Key: next.Key.String(), LineageID: next.Lineage, Committed: next.Provenance.CreatedAt,
		MemoryOp: string(next.WithDefaults().Operation), Supersedes: next.Supersedes, Branch: next.Branch, For: next.For, Warnings: warnings,
	}, nil
}

// beginAfter puts a version right behind the one it replaces, which a clock that
// went backwards would put it before. Unless that one was planned for later,
// the new one is not either: it has to hold at once.
func beginAfter(next *facts.Fact, old facts.Fact) {
	next.ValidFrom = old.ValidFrom.Add(time.Millisecond)
	if !old.Planned() && next.Provenance.CreatedAt.Before(next.ValidFrom) {
		next.Provenance.CreatedAt = next.ValidFrom
	}
}

// stamp fills in what nobody has to state.
func (p *planner) stamp(f *facts.Fact) {
	if f.Provenance.CreatedAt.IsZero() {
		f.Provenance.CreatedAt = p.now
	}
	if f.ValidFrom.IsZero() {
		f.ValidFrom = p.now
	}
	if f.ID == "" {
		f.ID = p.m.newID(p.now)
	}
	if f.Provenance.Engineer == "" {
		f.Provenance.Engineer = p.engineer
	}
}

// predecessor finds the open fact that next continues, and settles next's key.
//
//  1. A lineage: the fact of that lineage, at next's key or at its own.
//  2. A key where an open fact stands: that fact.
//  3. Anything else continues nothing; without a key it gets a new one.
//
// A restored fact brings its own lineage and is looked up by key alone.
func (p *planner) predecessor(next *facts.Fact, restored bool) (facts.Fact, bool, error) {
	if next.Lineage != "" && !restored {
		old, err := p.byLineage(next.Lineage)
		if err != nil {
			return old, false, err
		}
		if next.Key.IsZero() {
			next.Key = old.Key
		}
		return old, true, nil
	}
	if next.Key.IsZero() {
		key, err := p.freshKey(*next)
		next.Key = key
		return facts.Fact{}, false, err
	}
	old, found, err := p.at(next.Key)
	if err != nil || !found {
		return facts.Fact{}, false, err
	}
	state := old.StateAt(p.now)
	return old, state == facts.Current || state == facts.Scheduled, nil
}

// close ends a fact that goes on under another key.
func (p *planner) close(old facts.Fact, at time.Time) {
	old = old.Clone()
	old.ValidUntil = at
	p.set(old)
	p.lines = append(p.lines, messageLine("close", old.Key, old.Claim))
}

// retire ends a fact without replacement. Its file stays, with a closed window
// and with the provenance of its claim; who retired it and why is in the commit.
func (p *planner) retire(d draft) (CommitResult, error) {
	old, found, err := p.at(d.fact.Key)
	if d.fact.Key.IsZero() {
		old, err = p.byLineage(d.fact.Lineage)
		found = err == nil
	}
	if err != nil {
		return CommitResult{}, err
	}
	if !found {
		return CommitResult{}, fmt.Errorf("%w: %s", ErrNotFound, d.fact.Key)
	}
	if state := old.StateAt(p.now); state != facts.Current && state != facts.Scheduled {
		return CommitResult{}, fmt.Errorf("%w: %s is %s already", ErrNotFound, old.Key, state)
	}
	if err := p.permit(d, old.Scope); err != nil {
		return CommitResult{}, err
	}
	end := old.Clone()
	end.ID, end.Supersedes, end.Operation = p.m.newID(p.now), old.ID, facts.OpDelete
	end.ValidUntil = p.now
	if !end.ValidUntil.After(end.ValidFrom) {
		end.ValidUntil = end.ValidFrom.Add(time.Millisecond)
	}
	p.set(end)
	reason := d.reason
	if agent := p.agentName(d.fact.Provenance.Agent); agent != "" {
		reason = facts.FoldSpace(reason + " (by " + agent + ")")
	}
	p.lines = append(p.lines, messageLine("retire", end.Key, reason))
	var warnings []string
	if branch := p.m.store.CodeBranch(); branch != "" && !old.IsBound() {
		if bound, found, err := p.at(facts.Bind(end.Key, branch)); err == nil && found && open(bound, p.now) {
			warnings = append(warnings, fmt.Sprintf("this ends what holds for all; %s, which holds on %s in its place, goes on", bound.Key, branch))
		}
	}
	return CommitResult{
		Warnings: warnings,
		FactID:   end.ID, Key: end.Key.String(), LineageID: end.Lineage, Committed: p.now,
		MemoryOp: string(facts.OpDelete), Supersedes: old.ID,
	}, nil
}

func (p *planner) set(f facts.Fact) {
	if p.manifest.AnonymousMode { // also of a fact that was written before
		f.Provenance.Engineer = ""
	}
	p.pending[f.Key] = f
	for _, q := range []lookupQuery{{hash: facts.ContentHash(f.Claim), scope: f.Scope}, {lineage: f.Lineage}} {
		p.written[q] = append(p.written[q], f.Key)
	}
}
