package claim

import (
	"slices"
	"strings"

	"engram/detect/lexicon"
)

// Reading is what comparing needs to know of a claim, worked out once.
type Reading struct {
	Terms      []Term
	Clauses    []Clause
	Values     []Value
	Strong     []uint32 // the ids of terms that say what it is about, sorted
	ScopeWords []uint32 // the ids of the words of the scope
	ScopeParts []uint32 // the ids of its parts
	Features   Features
}

// Features are what a claim must have for a rule to find anything in it.
type Features uint8

const (
	HasValue     Features = 1 << iota // a value, a literal or a name
	HasDenial                         // a denied clause
	HasOpposed                        // a term that has an opposite
	HasKind                           // a term that names a kind of thing
	HasStage                          // a stage of a life cycle
	HasChange                         // a change from one state to another
	HasUniversal                      // a statement about all of something
	HasOrder                          // a word of order: before, after, first
)

// index gathers what the whole claim has.
func (r *Reading) index(scope string) {
	for i := range r.Terms {
		if t := &r.Terms[i]; t.Weight >= StrongWeight && t.Role&Unasserted == 0 {
			r.Strong = append(r.Strong, t.ID)
		}
	}
	for w := range strings.FieldsFuncSeq(lexicon.Lower(scope), func(c rune) bool { return strings.ContainsRune("/-_. ", c) }) {
		r.ScopeWords = append(r.ScopeWords, lexicon.LookUp(w).ID)
	}
	for w := range strings.SplitSeq(lexicon.Lower(scope), "/") {
		r.ScopeParts = append(r.ScopeParts, lexicon.LookUp(w).ID)
	}
	r.ScopeWords = append(r.ScopeWords, r.ScopeParts...)
	slices.Sort(r.Strong)
	slices.Sort(r.ScopeWords)
	r.Strong, r.ScopeWords = slices.Compact(r.Strong), slices.Compact(r.ScopeWords)
	for i := range r.Clauses {
		r.Features |= r.Clauses[i].Features
	}
	if len(r.Values) > 0 {
		r.Features |= HasValue
	}
}

// Find returns the first term of this meaning, or -1.
func (r *Reading) Find(id uint32) int {
	for i := range r.Terms {
		if r.Terms[i].ID == id && r.Terms[i].Role&(Unasserted|StopWord) == 0 {
			return i
		}
	}
	return -1
}

// FindIn is Find within the terms from one to another, exclusive.
func (r *Reading) FindIn(id uint32, from, to int) int {
	for i := from; i < to; i++ {
		if r.Terms[i].ID == id && r.Terms[i].Role&(Unasserted|StopWord) == 0 {
			return i
		}
	}
	return -1
}

// At returns the first term that begins at a byte of the text or behind it.
func (r *Reading) At(start int) int {
	for i := range r.Terms {
		if r.Terms[i].Start >= start {
			return i
		}
	}
	return len(r.Terms)
}

// ClauseOf returns the clause of a term.
func (r *Reading) ClauseOf(term int) *Clause {
	for i := range r.Clauses {
		if term < r.Clauses[i].To {
			return &r.Clauses[i]
		}
	}
	return &r.Clauses[len(r.Clauses)-1]
}

// AssertsNothingAt reports whether the clause at a byte of the text asserts nothing.
func (r *Reading) AssertsNothingAt(start int) bool {
	return len(r.Clauses) == 0 || r.ClauseOf(r.At(start)).AssertsNothing
}

// Everywhere reports whether a claim speaks of every environment.
func (r *Reading) Everywhere() bool {
	for i := 1; i < len(r.Terms); i++ {
		if r.Terms[i].ID == lexicon.EnvironmentID && r.Terms[i-1].Traits&lexicon.Universal != 0 {
			return true
		}
	}
	return false
}

// Provisional reports whether the claim holds only unless or until something is so.
func (r *Reading) Provisional() bool {
	return slices.ContainsFunc(r.Clauses, func(c Clause) bool { return c.Provisional })
}

// Identifies reports a term that says which of several: a name, a number, one of a
// kind. Of a value only the first term does, not its unit.
func (r *Reading) Identifies(i int) bool {
	t := &r.Terms[i]
	if t.ValueIndex > 0 {
		return r.Values[t.ValueIndex-1].From == i
	}
	return t.Role&(Numeric|Named) != 0 || t.Kinds != 0
}

// Affirms reports whether the claim speaks of something other than to say that it
// is not there, or not accepted.
func (r *Reading) Affirms(id uint32) bool {
	for i := range r.Clauses {
		if x := &r.Clauses[i]; !x.Dismisses && r.FindIn(id, x.From, x.To) >= 0 {
			return true
		}
	}
	return false
}

// OnlyOfKind reports whether term k is the only one of its kind in the claim.
func (r *Reading) OnlyOfKind(k int, kind uint64) bool {
	for i := range r.Terms {
		if t := &r.Terms[i]; i != k && t.Kinds&kind != 0 && t.ID != r.Terms[k].ID && t.Role&Unasserted == 0 && r.Affirms(t.ID) {
			return false
		}
	}
	return true
}

// HasBothPoles reports whether a claim has both ends of an opposition.
func (r *Reading) HasBothPoles(id uint32) bool {
	var plus, minus bool
	for i := range r.Terms {
		if t := &r.Terms[i]; t.ID == id {
			plus, minus = plus || t.Pole >= 0, minus || t.Pole < 0
		}
	}
	return plus && minus
}
