package facts

import (
	"bytes"
	"slices"
	"strings"
)

// Merged is the outcome of a three-way merge of one fact.
type Merged struct {
	Fact Fact
	// Lost is the version that gave way although its claim says something
	// else, or nil. The caller has to make it a conflict: no claim is dropped
	// in silence.
	Lost *Fact
}

// Merge joins two versions of one key that grew from base (nil: both added
// it). It is total, does not depend on the order of ours and theirs, and gives
// the same fact in whatever order more than two versions are merged.
//
//  1. The same on both sides: that.
//  2. Changed on one side: the change.
//  3. Changed on both: the version that Compare puts last, whole, so that no
//     fact says what nobody stated. Fields that this format does not know are
//     kept from either side, the winner's first.
//
// A retirement is a change like any other. An update begins later than the
// version the other side retired, so the update stands.
func Merge(base *Fact, ours, theirs Fact) Merged {
	a, b := Marshal(ours), Marshal(theirs)
	if bytes.Equal(a, b) {
		return Merged{Fact: ours}
	}
	if base != nil {
		switch before := Marshal(*base); {
		case bytes.Equal(before, a):
			return Merged{Fact: theirs}
		case bytes.Equal(before, b):
			return Merged{Fact: ours}
		}
	}
	winner, loser := ours.Clone(), theirs
	if Compare(ours, theirs) < 0 {
		winner, loser = theirs.Clone(), ours
	}
	winner.Unknown = unionUnknown(winner.Unknown, loser.Unknown)
	winner.Provenance.Unknown = unionUnknown(winner.Provenance.Unknown, loser.Provenance.Unknown)
	m := Merged{Fact: winner}
	if ContentHash(winner.Claim) != ContentHash(loser.Claim) {
		m.Lost = &loser
	}
	return m
}

// unionUnknown keeps every name of either side; on a name of both, winner's.
func unionUnknown(winner, loser []Unknown) []Unknown {
	union := slices.Clone(winner)
	for _, u := range loser {
		if !slices.ContainsFunc(winner, func(w Unknown) bool { return w.Name == u.Name }) {
			union = append(union, u)
		}
	}
	slices.SortFunc(union, func(a, b Unknown) int { return strings.Compare(a.Name, b.Name) })
	return union
}
