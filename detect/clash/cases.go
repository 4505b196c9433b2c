package clash

import (
	"engram/detect/frame"
	"engram/detect/lexicon"
	"engram/detect/quantity"
)

// caseOf counts the circumstances that differ: both name another of a class, and those
// that just one of them names.
func (p *pair) caseOf(c candidate) (both, one float32) {
	a, b := p.a.cases(c.a), p.b.cases(c.b)
	for class, members := range a {
		others := b[class]
		switch {
		case others == 0:
			one++
		case members&others == 0:
			both++
		}
	}
	for class := range b {
		if a[class] == 0 {
			one++
		}
	}
	return both, one
}

// apart reports claims that may well both hold: each names an identifier or a circumstance
// that the other does not have, beside the places that clash; one is about the time up to a
// day and the other about the time from a day on; or one makes an exception.
func (p *pair) apart(c candidate) bool {
	return p.otherCase(c) || p.ownIdentifiers(c) || p.ownNames(c) || p.otherTimes() || p.a.excepts() || p.b.excepts()
}

func (p *pair) ownIdentifiers(c candidate) bool {
	return p.a.ownIdentifier(c.a) && p.b.ownIdentifier(c.b)
}

func (p *pair) ownNames(c candidate) bool { return p.a.ownName(p.b, c.a) && p.b.ownName(p.a, c.b) }

func (p *pair) otherTimes() bool {
	return p.a.ended() && p.b.began() || p.a.began() && p.b.ended()
}

func (s side) excepts() bool { return s.Has("except", 0, len(s.Tokens)) }

// numbered reports claims that each begin with another number of one kind of thing: "Rule
// 7 …", "Rule 12 …".
func (p *pair) numbered() bool {
	i, j := p.a.number(), p.b.number()
	if i < 0 || j < 0 || p.a.partner[i-1] != j-1 {
		return false
	}
	q, r := p.a.valueOf(span{i, i + 1}), p.b.valueOf(span{j, j + 1})
	return q.Comparable(r) && !q.Equal(r)
}

// number returns the number among the first words that numbers what stands before it, -1
// without one.
func (s side) number() int {
	for i := 1; i < min(len(s.Tokens), 4); i++ {
		before := &s.Tokens[i-1]
		if q := s.valueOf(span{i, i + 1}); q != nil && q.Dim == quantity.Count && s.Tokens[i].Form == quantity.Number && before.Role&frame.Content != 0 && before.Value == 0 {
			return i
		}
	}
	return -1
}

// ended reports a claim about what held up to a day: "until 2023 …".
func (s side) ended() bool {
	for i := range s.Tokens {
		if w := s.Lower(i); (w == "until" || w == "till" || w == "to" && s.Lower(i-1) == "up") && i+1 < len(s.Tokens) && s.dateAt(i+1) {
			return true
		}
	}
	return false
}

// began reports a claim about what holds from a day on: "since April …".
func (s side) began() bool {
	for i := range s.Tokens {
		if w := s.Lower(i); (w == "since" || w == "from" || w == "of" && s.Lower(i-1) == "as") && i+1 < len(s.Tokens) && s.dateAt(i+1) {
			return true
		}
	}
	return false
}

func (s side) dateAt(i int) bool {
	v := s.Tokens[i].Value
	return v > 0 && s.Quantities[v-1].Dim == quantity.Date
}

// otherCase reports claims that each name a circumstance that the other does not have.
func (p *pair) otherCase(c candidate) bool {
	both, _ := p.caseOf(c)
	return both > 0
}

// ownIdentifier reports an identifier or a proper name that the other claim does not have.
func (s side) ownIdentifier(beside span) bool {
	for i := range s.Tokens {
		t := &s.Tokens[i]
		if t.Role&(frame.Code|frame.Proper) != 0 && t.Value == 0 && s.match[i] == 0 && (i < beside.from || i >= beside.to) && !s.Clauses[t.Clause].Aside {
			return true
		}
	}
	return false
}

// cases returns the circumstances that a claim names beside a place, by class: a bit
// for each member.
func (s side) cases(at span) map[int16]uint64 {
	found := make(map[int16]uint64)
	clause := s.Tokens[min(at.from, len(s.Tokens)-1)].Clause
	for i := range s.Tokens {
		t := &s.Tokens[i]
		if i >= at.from && i < at.to && at.to-at.from < 4 || t.Value > 0 || t.Clause != clause && s.Clauses[t.Clause].Aside {
			continue
		}
		for _, c := range t.Cases {
			found[c.Class] |= 1 << c.Member
		}
	}
	return found
}

// head returns the word that a clause is about: the last word of weight before its
// verb and before what narrows it ("rate" of "the rate of the gateway"), -1 without one.
func (s side) head(c frame.Clause) int {
	head := -1
	for i := c.From; i < c.To; i++ {
		t := &s.Tokens[i]
		class := lexicon.Classify(t.Lower)
		switch {
		case head >= 0 && (t.Part&lexicon.Stop != 0 || t.Value > 0 || class&(lexicon.Copula|lexicon.Have|lexicon.Aux|lexicon.Sets|lexicon.Lifetime|lexicon.Prep) != 0 || verbal(t) || owning(t)):
			return head
		case t.Part&lexicon.Framing == 0 && t.Weight > 0:
			head = i
		}
	}
	return head
}

// subject tells how well the other claim has what the clause of a place is about; the
// first clause says it for those that begin with a pronoun.
func (s side) subject(at span) float32 {
	head := s.head(s.clauseOf(at))
	if head < 0 || s.Tokens[head].Value > 0 || head >= at.from && head < at.to {
		head = s.head(s.Clauses[0])
	}
	if head < 0 || head >= at.from && head < at.to {
		return 1
	}
	return s.match[head]
}
