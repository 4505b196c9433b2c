package claim

import "engram/detect/lexicon"

// ComparedWeight is the weight of a term that is compared; a number then weighs as a name.
func (t *Term) ComparedWeight() int {
	if t.Role&Numeric != 0 || t.ValueIndex > 0 {
		return nameWeight
	}
	return int(t.Weight)
}

// Schedules reports one of the words for when something is done again and again.
func (t *Term) Schedules() bool {
	if t.Kinds == 0 || t.ValueIndex > 0 {
		return false
	}
	switch lexicon.KindName(t.Kinds) {
	case "frequency", "weekday", "time zone":
		return true
	}
	return false
}

// Role says what part a term plays in its clause.
type Role uint16

const (
	Named        Role = 1 << iota // an identifier or a proper name
	Literal                       // in quotation marks or backticks
	Numeric                       // a number or version
	Denial                        // not, never, without
	Unasserted                    // only mentioned as what is not so
	Past                          // an unasserted term that was so before
	Unique                        // a name that means one thing wherever it is used
	Hypothetical                  // in a condition: if, when, unless
	StopWord                      // says nothing by itself: the, of, and
	Topic                         // stands before the verb: what the clause is about
)

// Term is a word of a claim as the rules see it.
type Term struct {
	lexicon.Entry
	Role       Role
	Weight     int8
	ValueIndex int16 // 1 + the index of the value it is part of
	Start, End int
	Lower      string // as it is written, in lower case
}

// The weights of terms.
const (
	WeakWeight   = 1
	StrongWeight = 3
	nameWeight   = 4
)

// Chosen reports one of a kind that is said to be in use.
func (t *Term) Chosen() bool { return t.Kinds != 0 && t.ValueIndex == 0 && t.Role&Unasserted == 0 }

// Opposite reports two words of which one is the opposite of the other, or denies
// it by a prefix, so that only one of them has an end of its own: unprotected.
func (t *Term) Opposite(u *Term) bool {
	return t.ID == u.ID && (t.Pole < 0) != (u.Pole < 0)
}
