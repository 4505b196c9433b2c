package write

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// Planner decides, against one revision, what drafts become. It is used for
// one attempt and thrown away.
type Planner struct {
	M        *Writer
	Ctx      context.Context // of the one call that the planner lives for
	Tip      string
	Manifest facts.Manifest
	Engineer string
	Author   string // whose address the gate goes by, also where no names are stored; "" where there is none
	Now      time.Time
	Look     Lookup
	// Where the tip is that of the proposals: the tip of the memory branch, which
	// the index knows, and what is proposed beside it.
	looksAt string
	over    []Proposal

	pending map[facts.Key]facts.Fact         // what this commit puts where
	written map[core.LookupQuery][]facts.Key // the same by content and by lineage
	Results []CommitResult
	Lines   []string        // of the commit message
	charged map[string]bool // agents that this commit is counted for
}

func (p *Planner) plan(drafts []Draft) error {
	return p.M.withLookup(p.Ctx, cmp.Or(p.looksAt, p.Tip), drafts, func(look Lookup) error {
		p.Look = look.overlay(p.over)
		for i, d := range drafts {
			result, err := p.One(d)
			if err != nil {
				return inputError(len(drafts), i, err)
			}
			if p.Results = append(p.Results, result); result.MemoryOp != string(facts.OpNone) {
				p.Charge(d.author())
			}
			if len(drafts) > scanAbove {
				p.M.Progress("planning", i+1, len(drafts))
			}
		}
		return nil
	})
}

func (p *Planner) writes() []gitstore.Write {
	writes := make([]gitstore.Write, 0, len(p.pending))
	for key, f := range p.pending {
		writes = append(writes, gitstore.Write{Path: key.Path(), Data: facts.Marshal(f)})
	}
	slices.SortFunc(writes, func(a, b gitstore.Write) int { return strings.Compare(a.Path, b.Path) })
	return writes
}

func (p *Planner) One(d Draft) (CommitResult, error) {
	if detect.IsConflict(d.Fact.Key) && !d.restored {
		return CommitResult{}, core.UsageErrorf(hint.New("%s settles it", hint.Do(hint.Resolve)), "%s is a conflict; audits write these", d.Fact.Key)
	}
	switch d.operation {
	case facts.OpNone:
		return CommitResult{MemoryOp: string(facts.OpNone), Committed: p.Now}, nil
	case facts.OpDelete:
		return p.Retire(d)
	}
	if d.promoted {
		return p.promote(d)
	}
	next := d.Fact.Clone()
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
	if err := Precheck(Draft{Fact: next}, p.Manifest); err != nil {
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
		if !d.Fact.Key.IsZero() && d.Fact.Key != same.Key {
			r.Warnings = []string{fmt.Sprintf("%s says the same already, so nothing was written to %s", same.Key, d.Fact.Key)}
		}
		if couldNameCommit(same, next) {
			r.Warnings = append(r.Warnings, fmt.Sprintf("known already; its pointer still names no commit: engram verify %s --commit", same.Key))
		}
		return r, nil
	}
	r, err := p.Put(next, old, continues)
	r.Notes, r.Warnings = notes, append(warnings, r.Warnings...)
	return r, err
}

// inheritTarget is inherit for the first fact that is bound to a branch at a key: it
// takes the place of what holds for all, and who may not write that may not bind.
func (p *Planner) inheritTarget(d Draft, next *facts.Fact) error {
	if !next.IsBound() {
		return nil
	}
	standing, found, err := p.At(next.Target())
	if err != nil || !found || next.Target() == next.Key || !core.CurrentOrScheduled(standing, p.Now) {
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
	next.Scope = cmp.Or(next.Scope, old.Scope)
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
func (p *Planner) duplicate(next facts.Fact, restored bool) (facts.Fact, bool, error) {
	if restored {
		at, found, err := p.At(next.Key)
		return at, found && facts.Compare(next, at) <= 0, err
	}
	hash := facts.ContentHash(next.Claim)
	same, found, err := p.find(core.LookupQuery{Hash: hash, Scope: next.Scope}, func(f facts.Fact) bool {
		return facts.ContentHash(f.Claim) == hash && f.Scope == next.Scope && core.VisibleOn(f, next.Branch) && f.StateAt(p.Now) == facts.Current
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
	Set(&f.Claim, next.Claim)
	Set(&f.Detail, next.Detail)
	Set(&f.Kind, next.Kind)
	Set(&f.Type, next.Type)
	Set(&f.Reach, next.Reach)
	Set(&f.TTL, next.TTL)
	Set(&f.Durability, next.Durability)
	Set(&f.ValidUntil, next.ValidUntil)
	Set(&f.Provenance.Evidence, next.Provenance.Evidence)
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

func Set[T comparable](field *T, value T) {
	var zero T
	if value != zero {
		*field = value
	}
}

// Put makes next the newest version at its key. Where it continues old, it
// takes over old's lineage.
func (p *Planner) Put(next, old facts.Fact, continues bool) (CommitResult, error) {
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
	if err := facts.Validate(next, p.Manifest); err != nil {
		return CommitResult{}, err
	}
	if continues && old.Key != next.Key {
		p.Close(old, next.ValidFrom)
	}
	p.Set(next)
	verb, text := string(next.WithDefaults().Operation), next.Claim
	if next.Operation == facts.OpDelete { // restored
		verb = "retire"
	}
	p.Lines = append(p.Lines, core.MessageLine(verb, next.Key, text))
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
func (p *Planner) stamp(f *facts.Fact) {
	if f.Provenance.CreatedAt.IsZero() {
		f.Provenance.CreatedAt = p.Now
	}
	if f.ValidFrom.IsZero() {
		f.ValidFrom = p.Now
	}
	if f.ID == "" {
		f.ID = p.M.NewID(p.Now)
	}
	if f.Provenance.Engineer == "" {
		f.Provenance.Engineer = p.Engineer
	}
}

// predecessor finds the open fact that next continues, and settles next's key.
//
//  1. A lineage: the fact of that lineage, at next's key or at its own.
//  2. A key where an open fact stands: that fact.
//  3. Anything else continues nothing; without a key it gets a new one.
//
// A restored fact brings its own lineage and is looked up by key alone.
func (p *Planner) predecessor(next *facts.Fact, restored bool) (facts.Fact, bool, error) {
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
	old, found, err := p.At(next.Key)
	if err != nil || !found {
		return facts.Fact{}, false, err
	}
	state := old.StateAt(p.Now)
	return old, state == facts.Current || state == facts.Scheduled, nil
}

// Close ends a fact that goes on under another key.
func (p *Planner) Close(old facts.Fact, at time.Time) {
	old = old.Clone()
	old.ValidUntil = at
	p.Set(old)
	p.Lines = append(p.Lines, core.MessageLine("close", old.Key, old.Claim))
}

// Retire ends a fact without replacement. Its file stays, with a closed window
// and with the provenance of its claim; who retired it and why is in the commit.
func (p *Planner) Retire(d Draft) (CommitResult, error) {
	old, found, err := p.At(d.Fact.Key)
	if d.Fact.Key.IsZero() {
		old, err = p.byLineage(d.Fact.Lineage)
		found = err == nil
	}
	if err != nil {
		return CommitResult{}, err
	}
	if !found {
		return CommitResult{}, fmt.Errorf("%w: %s", core.ErrNotFound, d.Fact.Key)
	}
	if state := old.StateAt(p.Now); state != facts.Current && state != facts.Scheduled {
		return CommitResult{}, fmt.Errorf("%w: %s is %s already", core.ErrNotFound, old.Key, state)
	}
	if err := p.permit(d, old.Scope); err != nil {
		return CommitResult{}, err
	}
	end := old.Clone()
	end.ID, end.Supersedes, end.Operation = p.M.NewID(p.Now), old.ID, facts.OpDelete
	end.ValidUntil = p.Now
	if !end.ValidUntil.After(end.ValidFrom) {
		end.ValidUntil = end.ValidFrom.Add(time.Millisecond)
	}
	p.Set(end)
	reason := d.Reason
	if agent := p.AgentName(d.Fact.Provenance.Agent); agent != "" {
		reason = facts.FoldSpace(reason + " (by " + agent + ")")
	}
	p.Lines = append(p.Lines, core.MessageLine("retire", end.Key, reason))
	var warnings []string
	if branch := p.M.Store.CodeBranch(); branch != "" && !old.IsBound() {
		if bound, found, err := p.At(facts.Bind(end.Key, branch)); err == nil && found && core.CurrentOrScheduled(bound, p.Now) {
			warnings = append(warnings, fmt.Sprintf("this ends what holds for all; %s, which holds on %s in its place, goes on", bound.Key, branch))
		}
	}
	return CommitResult{
		Warnings: warnings,
		FactID:   end.ID, Key: end.Key.String(), LineageID: end.Lineage, Committed: p.Now,
		MemoryOp: string(facts.OpDelete), Supersedes: old.ID,
	}, nil
}

func (p *Planner) Set(f facts.Fact) {
	if p.Manifest.AnonymousMode { // also of a fact that was written before
		f.Provenance.Engineer = ""
	}
	p.pending[f.Key] = f
	for _, q := range []core.LookupQuery{{Hash: facts.ContentHash(f.Claim), Scope: f.Scope}, {Lineage: f.Lineage}} {
		p.written[q] = append(p.written[q], f.Key)
	}
}
