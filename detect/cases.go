package detect

import "strings"

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
	for i := range c.read.clauses {
		x := &c.read.clauses[i]
		if at >= x.to {
			if c.leads(x) && x.to <= at && c.read.clauseOf(at) == &c.read.clauses[min(i+1, len(c.read.clauses)-1)] && c.caseIn(x, other) {
				return true
			}
			continue
		}
		return c.caseIn(x, other) || i+1 < len(c.read.clauses) && c.meanwhile(&c.read.clauses[i+1])
	}
	return false
}

// meanwhile reports a clause that tells when the one before it holds: "while they
// catch up".
func (c side) meanwhile(x *clause) bool {
	if x.from == 0 || x.from >= x.to {
		return false
	}
	link := strings.TrimSpace(c.Text[c.read.terms[x.from-1].end:c.read.terms[x.from].start])
	switch c.read.terms[x.from].low {
	case "they", "it", "we":
		return link == "while"
	}
	return false
}

// leads reports a clause that is no more than a circumstance of the next: "on
// weekends, ...".
func (c side) leads(x *clause) bool {
	return x.from < x.to && setsCase(c.read.terms[x.from].low) && x.to-x.from < 6
}

// caseIn reports whether a clause names a case that the other claim does not.
func (c side) caseIn(x *clause, other side) bool {
	if x.signs&hasChange != 0 || c.changed() {
		return false
	}
	for i := x.from; i+1 < x.to; i++ {
		if setsCase(c.read.terms[i].low) && c.unshared(i+1, x, other) {
			return true
		}
	}
	return false
}

// unshared reports whether the phrase that begins at a term has a word of weight, and
// none that the other claim has.
func (c side) unshared(from int, x *clause, other side) bool {
	special := false
	for i := from; i < x.to; i++ {
		t := &c.read.terms[i]
		class := classify(t.low)
		switch {
		case i == from && (t.low == "its" || t.low == "their" || t.low == "our"):
			return false
		case i < from+3 && turn(t.low) && !other.has(t.id):
			return true
		case t.role&figure != 0 && i > from && startsNoun(c.read.terms[i-1].low):
			return !other.has(t.id)
		case t.low == "of" && special:
			return true
		case t.value > 0 || t.role&figure != 0 || t.traits&universal != 0 || t.kinds != 0 || t.role&literal != 0 || strings.ContainsAny(t.low, "./_"):
			return false
		case i > from && class&(prep|be|aux|starts|when|have) != 0:
			return special
		case special && startsNoun(t.low):
			return true
		case t.role&glue != 0:
		case other.has(t.id) || c.inScope(t.id):
			return false
		case t.weight >= strongWeight || t.traits&contrast != 0:
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
	for i := range c.read.clauses {
		if x := &c.read.clauses[i]; x.only || x.signs&hasUniversal != 0 || c.says(x, "never") || c.says(x, "always") {
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
