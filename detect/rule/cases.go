package rule

import (
	"strings"

	"engram/detect/claim"
	"engram/detect/lexicon"
)

// cases reports that what one of two terms is part of is said of a case of its own.
func (p *pair) cases(i, j int) bool {
	return p.a.caseOfItsOwn(i, p.b) || p.b.caseOfItsOwn(j, p.a)
}

// caseOfItsOwn reports that what the clause of a term says is said of a case that
// the other claim does not name: "for guests", "on weekends", "after a cold start".
// The other is then the general rule, and this an exception or another case, unless
// the other speaks of all there are.
//
// What stands behind a preposition is a case if nothing of it is in the other claim,
// and it is neither a value, nor where a thing is set (a file), nor when or why a
// change was made.
func (c side) caseOfItsOwn(at int, other side) bool {
	if other.leavesNoCase() {
		return false
	}
	for i := range c.Clauses {
		x := &c.Clauses[i]
		if at >= x.To {
			if c.leads(x) && x.To <= at && c.ClauseOf(at) == &c.Clauses[min(i+1, len(c.Clauses)-1)] && c.caseIn(x, other) {
				return true
			}
			continue
		}
		return c.caseIn(x, other) || i+1 < len(c.Clauses) && c.meanwhile(&c.Clauses[i+1])
	}
	return false
}

// meanwhile reports a clause that tells when the one before it holds: "while they
// catch up".
func (c side) meanwhile(x *claim.Clause) bool {
	if x.From == 0 || x.From >= x.To {
		return false
	}
	link := strings.TrimSpace(c.Text[c.Terms[x.From-1].End:c.Terms[x.From].Start])
	switch c.Terms[x.From].Lower {
	case "they", "it", "we":
		return link == "while"
	}
	return false
}

// leads reports a clause that is no more than a circumstance of the next: "on
// weekends, ...".
func (c side) leads(x *claim.Clause) bool {
	return x.From < x.To && setsCase(c.Terms[x.From].Lower) && x.To-x.From < 6
}

// caseIn reports whether a clause names a case that the other claim does not.
func (c side) caseIn(x *claim.Clause, other side) bool {
	if x.Features&claim.HasChange != 0 || c.changed() {
		return false
	}
	for i := x.From; i+1 < x.To; i++ {
		if setsCase(c.Terms[i].Lower) && c.unshared(i+1, x, other) {
			return true
		}
	}
	return false
}

// unshared reports whether the phrase that begins at a term has a word of weight, and
// none that the other claim has.
func (c side) unshared(from int, x *claim.Clause, other side) bool {
	special := false
	for i := from; i < x.To; i++ {
		t := &c.Terms[i]
		class := lexicon.Classify(t.Lower)
		switch {
		case i == from && (t.Lower == "its" || t.Lower == "their" || t.Lower == "our"):
			return false
		case i < from+3 && turn(t.Lower) && !other.has(t.ID):
			return true
		case t.Role&claim.Numeric != 0 && i > from && startsNoun(c.Terms[i-1].Lower):
			return !other.has(t.ID)
		case t.Lower == "of" && special:
			return true
		case t.ValueIndex > 0, t.Kinds != 0, t.Role&(claim.Numeric|claim.Literal) != 0, t.Traits&lexicon.Universal != 0, strings.ContainsAny(t.Lower, "./_"):
			return false
		case i > from && class&(lexicon.Prep|lexicon.Copula|lexicon.Aux|lexicon.ClauseStart|lexicon.When|lexicon.Have) != 0:
			return special
		case special && startsNoun(t.Lower):
			return true
		case t.Role&claim.StopWord != 0:
		case c.shares(t, other):
			return false
		case t.Weight >= claim.StrongWeight || t.Traits&lexicon.Contrast != 0:
			special = true
		}
	}
	return special
}

// setsCase reports the words that a case may follow.
func setsCase(w string) bool {
	switch w {
	case "for", "on", "in", "during", "while", "with", "after", "from", "under", "at", "when", "if", "unless", "except", "of", "to", "between":
		return true
	}
	return false
}

// leavesNoCase reports a claim that speaks of all there are, or of no other: an
// exception of it is a contradiction.
func (c side) leavesNoCase() bool {
	for i := range c.Clauses {
		if x := &c.Clauses[i]; x.Exclusive || x.Features&claim.HasUniversal != 0 || c.says(x, "never") || c.says(x, "always") {
			return true
		}
	}
	return false
}

// startsNoun reports the words that begin another noun phrase: behind "for streaming
// routes" what the clause is about.
func startsNoun(w string) bool {
	switch w {
	case "the", "a", "an", "we", "they", "it", "its", "each", "every", "no":
		return true
	}
	return false
}

// turn reports the words that make a case of the time or the round that they stand
// before: from the second attempt on.
func turn(w string) bool {
	switch w {
	case "first", "second", "third", "subsequent", "next", "last", "cold", "warm", "peak", "weekends", "nights":
		return true
	}
	return false
}
