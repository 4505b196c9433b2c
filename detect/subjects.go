package detect

import (
	"slices"
	"strings"
)

// turned reports that the subject of each clause is spoken of in the other as
// something else: "a depends on b" does not deny that b depends on a.
func (p *pair) turned(x, y *clause) bool {
	s, t := p.a.actor(x), p.b.actor(y)
	return s != 0 && t != 0 && s != t && p.a.read.find(t) >= 0 && p.b.read.find(s) >= 0
}

// actor returns the meaning of the word before the verb, unless the clause is in
// the passive, or has no such word.
func (c side) actor(x *clause) (id uint32) {
	for i := x.from; i < x.to; i++ {
		t := &c.read.terms[i]
		if i < x.verb && (t.weight >= strongWeight || id == 0 && t.weight > 0) {
			id = t.id
		}
		switch t.low {
		case "by", "is", "are", "be", "was", "were":
			return 0
		}
	}
	return id
}

// sameSubject reports that each clause is about something that the other claim
// speaks of; but for who does what is said, in the passive, not to be done.
func (p *pair) sameSubject(x, y *clause) bool {
	a, b := p.a.subjectIn(x, p.b), p.b.subjectIn(y, p.a)
	return a && b || a && x.denials > 0 && p.a.passive(x) || b && y.denials > 0 && p.b.passive(y)
}

// passive reports a clause of the form "rows are never deleted".
func (c side) passive(x *clause) bool {
	for i := x.verb; i < x.to && i < x.verb+4; i++ {
		if strings.HasSuffix(c.read.terms[i].low, "ed") {
			return classify(c.read.terms[x.verb].low)&be != 0
		}
	}
	return false
}

// subjectIn reports whether the head of what a clause is about is spoken of by the
// other claim or is its scope: the last word of weight before its verb and before
// what only narrows it ("rates" of "exchange rates in the API").
func (c side) subjectIn(x *clause, other side) bool {
	head := -1
	for i := x.from; i < x.verb; i++ {
		t := &c.read.terms[i]
		class := classify(t.low)
		switch {
		case t.traits&universal != 0 && t.role&denial != 0:
			return true
		case head >= 0 && class&prep != 0:
			i = x.verb
		case t.weight >= strongWeight || t.weight > 0 && class&setting != 0:
			head = i
		}
	}
	if head < 0 {
		return true
	}
	id := c.read.terms[head].id
	return other.read.find(id) >= 0 || slices.Contains(other.read.scope, id)
}
