package write

import (
	"cmp"
	"slices"
	"time"

	"engram/facts"
)

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

// beginAfter puts a version right behind the one it replaces, which a clock that
// went backwards would put it before. Unless that one was planned for later,
// the new one is not either: it has to hold at once.
func beginAfter(next *facts.Fact, old facts.Fact) {
	next.ValidFrom = old.ValidFrom.Add(time.Millisecond)
	if !old.Planned() && next.Provenance.CreatedAt.Before(next.ValidFrom) {
		next.Provenance.CreatedAt = next.ValidFrom
	}
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

// resultOf says what was written: the version f.
func resultOf(f facts.Fact) CommitResult {
	return CommitResult{
		FactID: f.ID, Key: f.Key.String(), LineageID: f.Lineage, Committed: f.Provenance.CreatedAt,
		MemoryOp: string(f.WithDefaults().Operation), Supersedes: f.Supersedes,
	}
}

// duplicateOf says that nothing was written because f stands already.
func duplicateOf(f facts.Fact) CommitResult {
	r := resultOf(f)
	r.Duplicate, r.MemoryOp, r.Supersedes = true, string(facts.OpNone), ""
	return r
}
