package treemerge

import (
	"engram/gitstore/internal/object"
)

// verdict is how a path of a merge was decided.
type verdict int

const (
	agreed    verdict = iota // it is one side's, or both sides'
	stays                    // deleted on one side, changed on the other
	chosen                   // contested, and decided without reading
	undecided                // contested, and a Joiner has to decide
)

// decide applies the rules of merging to one path. It is symmetric in the two
// sides.
//
//  1. Both sides have the same: that.
//  2. One side has what base has: the other's, deletion included.
//  3. One side deleted it, the other changed it: it stays, because absence never
//     means retirement.
//  4. Both have a plain file: the executable bit and the content are decided
//     each by itself, by rules 1 and 2; content that both changed is open, and
//     a bit that both set differently without a base is set.
//  5. One has a plain file: that, because only plain files are facts.
//  6. Neither has (symbolic links, submodules): the one whose mode, then name, is
//     less. The other stays in the history.
func decide(at sides) (item, verdict) {
	base, ours, theirs := at.base, at.ours, at.theirs
	switch {
	case ours == theirs:
		return ours, agreed
	case ours == base:
		return theirs, agreed
	case theirs == base:
		return ours, agreed
	case ours.absent():
		return theirs, stays
	case theirs.absent():
		return ours, stays
	case ours.plain() && theirs.plain():
		return decidePlain(at)
	case ours.plain():
		return ours, chosen
	case theirs.plain():
		return theirs, chosen
	case compareItems(ours, theirs) < 0:
		return ours, chosen
	}
	return theirs, chosen
}

// decidePlain is rule 4 of decide.
func decidePlain(at sides) (item, verdict) {
	base, ours, theirs := at.base, at.ours, at.theirs
	mode := object.ModeExecutable
	switch {
	case ours.mode == theirs.mode:
		mode = ours.mode
	case ours.mode == base.mode:
		mode = theirs.mode
	case theirs.mode == base.mode:
		mode = ours.mode
	}
	switch {
	case ours.hash == theirs.hash:
		return item{mode, ours.hash}, agreed
	case base.plain() && ours.hash == base.hash:
		return item{mode, theirs.hash}, agreed
	case base.plain() && theirs.hash == base.hash:
		return item{mode, ours.hash}, agreed
	}
	return item{mode: mode}, undecided
}
