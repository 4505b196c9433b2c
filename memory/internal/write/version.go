package write

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"engram/facts"
	"engram/memory/internal/core"
)

// Put writes next as the newest version at its key. If it continues old, it keeps the
// lineage of old.
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
	r := resultOf(next)
	r.Branch, r.For, r.Warnings = next.Branch, next.For, warnings
	return r, nil
}

// stamp fills in the times, id and engineer that a draft does not state.
func (p *Planner) stamp(f *facts.Fact) {
	if f.Provenance.CreatedAt.IsZero() {
		f.Provenance.CreatedAt = p.Now
	}
	if f.ValidFrom.IsZero() {
		f.ValidFrom = p.Now
	}
	if f.ID == "" {
		f.ID = p.m.NewID(p.Now)
	}
	f.Provenance.Engineer = cmp.Or(f.Provenance.Engineer, p.Engineer)
}

// Close ends a fact that continues under another key.
func (p *Planner) Close(old facts.Fact, at time.Time) {
	old = old.Clone()
	old.ValidUntil = at
	p.Set(old)
	p.Lines = append(p.Lines, core.MessageLine("close", old.Key, old.Claim))
}

// End retires a fact at a moment, or right after it began if that is later.
func (p *Planner) End(f facts.Fact, at time.Time) facts.Fact {
	end := f.Clone()
	end.ID, end.Supersedes, end.Operation = p.m.NewID(p.Now), f.ID, facts.OpDelete
	if end.ValidUntil = at; !at.After(end.ValidFrom) {
		end.ValidUntil = end.ValidFrom.Add(time.Millisecond)
	}
	p.Set(end)
	return end
}

// inherit fills in what a new version does not state of the topic. What supports a claim
// (evidence, pointers, detail, confidence, TTL) belongs to the claim and is not inherited.
func inherit(next *facts.Fact, old facts.Fact) {
	next.Scope = cmp.Or(next.Scope, old.Scope)
	next.Kind = cmp.Or(next.Kind, old.Kind)
	next.Type = cmp.Or(next.Type, old.Type)
	next.Reach = cmp.Or(next.Reach, old.Reach)
	if len(next.Tags) == 0 {
		next.Tags = slices.Clone(old.Tags)
	}
	if len(next.Unknown) == 0 { // fields of a later format are kept
		next.Unknown = slices.Clone(old.Unknown)
	}
}

// addsNothing reports whether everything that next states, old says already.
func addsNothing(next, old facts.Fact) bool {
	merged := old.Clone()
	overlay(&merged, next)
	return string(facts.Marshal(merged)) == string(facts.Marshal(old))
}

// overlay sets in f what next states about the claim.
func overlay(f *facts.Fact, next facts.Fact) {
	f.Claim = cmp.Or(next.Claim, f.Claim)
	f.Detail = cmp.Or(next.Detail, f.Detail)
	f.Kind = cmp.Or(next.Kind, f.Kind)
	f.Type = cmp.Or(next.Type, f.Type)
	f.Reach = cmp.Or(next.Reach, f.Reach)
	f.TTL = cmp.Or(next.TTL, f.TTL)
	f.Durability = cmp.Or(next.Durability, f.Durability)
	f.ValidUntil = cmp.Or(next.ValidUntil, f.ValidUntil)
	f.Provenance.Evidence = cmp.Or(next.Provenance.Evidence, f.Provenance.Evidence)
	f.Confidence = cmp.Or(next.Confidence, f.Confidence)
	if len(next.Tags) > 0 {
		f.Tags = next.Tags
	}
	if len(next.Pointers) > 0 {
		f.Pointers = next.Pointers
	}
}

// beginAfter lets a version begin right after the one that it replaces, if a clock that
// went backwards would put it before. Unless the replaced version was planned for later,
// the new one must hold at once.
func beginAfter(next *facts.Fact, old facts.Fact) {
	next.ValidFrom = old.ValidFrom.Add(time.Millisecond)
	if !old.Planned() && next.Provenance.CreatedAt.Before(next.ValidFrom) {
		next.Provenance.CreatedAt = next.ValidFrom
	}
}

// stayBound keeps the branch of a bound fact for a next version that names none.
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

// unbound is the version that a bound fact becomes when it is promoted. A planned end
// stays.
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
