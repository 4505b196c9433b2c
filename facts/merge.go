package facts

import (
	"bytes"
	"maps"
	"slices"
)

// Merged is the outcome of a three-way merge of one fact.
type Merged struct {
	Fact Fact
	// Lost is the losing version if it claims something that neither the winner
	// nor base claims, or nil. The caller must record it as a conflict, so that no
	// claim is dropped silently.
	Lost *Fact
}

// Merge merges two versions of one key that grew from base (nil: both added
// it). It is total, does not depend on the order of ours and theirs, and gives
// the same fact in whatever order more than two versions without a base are
// merged.
//
//  1. The same on both sides: that.
//  2. Changed on one side: the change.
//  3. Changed on both: the version that Compare puts last, whole, so that no
//     fact says what nobody stated. Fields that this format does not know, of
//     the fact and of its provenance, are kept from either side (mergeUnknown),
//     unless they would take the fact beyond MaxFile bytes together; those of
//     a pointer belong to the pointer.
//
// A retirement is a change like any other. An update begins later than the
// version the other side retired, so the update stands. A retirement that loses
// drops no claim, because it states that the claim does not hold.
func Merge(base *Fact, ours, theirs Fact) Merged {
	// 1.
	a, b := Marshal(ours), Marshal(theirs)
	if bytes.Equal(a, b) {
		return Merged{Fact: ours}
	}
	// 2.
	if base != nil {
		switch before := Marshal(*base); {
		case bytes.Equal(before, a):
			return Merged{Fact: theirs}
		case bytes.Equal(before, b):
			return Merged{Fact: ours}
		}
	} else {
		base = &Fact{}
	}
	// 3.
	winner, loser := ours, theirs
	if Compare(ours, theirs) < 0 {
		winner, loser = theirs, ours
	}
	m := Merged{Fact: winner.Clone()}
	m.Fact.Unknown = mergeUnknown(base.Unknown, ours.Unknown, theirs.Unknown)
	m.Fact.Provenance.Unknown = mergeUnknown(base.Provenance.Unknown, ours.Provenance.Unknown, theirs.Provenance.Unknown)
	if len(Marshal(m.Fact)) > MaxFile {
		m.Fact = winner.Clone()
	}
	said := ContentHash(loser.Claim)
	if loser.Operation != OpDelete && said != ContentHash(winner.Claim) && said != ContentHash(base.Claim) {
		m.Lost = &loser
	}
	return m
}

// mergeUnknown merges unknown fields name by name: a change of one side is taken; of
// two changes, the larger text, because a choice by winner would depend on the order
// of merges. The result is sorted by name.
func mergeUnknown(base, ours, theirs []Unknown) (merged []Unknown) {
	before, a, b := textByName(base), textByName(ours), textByName(theirs)
	names := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		text := max(a[name], b[name])
		switch before[name] {
		case a[name]:
			text = b[name]
		case b[name]:
			text = a[name]
		}
		if text != "" { // "": removed
			merged = append(merged, Unknown{Name: name, YAML: text})
		}
	}
	return merged
}

func textByName(unknown []Unknown) map[string]string {
	texts := make(map[string]string, len(unknown))
	for _, u := range unknown {
		texts[u.Name] = u.YAML
	}
	return texts
}
