package rule

import (
	"engram/detect/claim"
	"engram/detect/finding"
)

// oppositeStates finds two clauses that begin with the same words and say of them
// opposite things, whatever they say besides: "INC-7 is ongoing and ..." and
// "INC-7 has been resolved".
func (p *pair) oppositeStates(x, y *claim.Clause, whole agreement) (clash, bool) {
	i, j := p.opposed(x, y)
	switch {
	case i < 0, x.Denials+y.Denials > 0, min(whole.restA.narrowing, whole.restB.narrowing) > 0, whole.contrasting:
		return clash{}, false
	case !p.a.subjectIn(x, p.b), !p.b.subjectIn(y, p.a):
		return clash{}, false
	}
	t, u := &p.a.Terms[i], &p.b.Terms[j]
	c := clash{rule: byPolarity, tier: finding.TierEntity, a: placeAt(t.Start, t.End), b: placeAt(u.Start, u.End)}
	if p.sameFullSubject(x, y) && whole.restA.special()+whole.restB.special() == 0 {
		return c, true
	}
	a, b := p.a.partOf(span{x.From, x.Verb}), p.b.partOf(span{y.From, y.Verb})
	a.figures, b.figures = true, true
	g := agree(a, b)
	switch {
	case g.restA.special()+g.restB.special() > 1, g.contrasting, g.strong == 0, g.strong == 1 && !g.own && !whole.own:
		return clash{}, false
	case p.scopes == elsewhere && !g.topic:
		return clash{}, false
	}
	return c, true
}

// opposed returns the first two terms that are opposites and each said of the
// subject of its clause, or -1.
func (p *pair) opposed(x, y *claim.Clause) (i, j int) {
	for i := x.Verb; i < x.To; i++ {
		for j := y.Verb; j < y.To && p.a.opposable(i, x); j++ {
			if p.a.Terms[i].Opposite(&p.b.Terms[j]) && p.b.opposable(j, y) {
				return i, j
			}
		}
	}
	return -1, -1
}

// opposable reports whether term i is said of the subject of a clause.
func (c side) opposable(i int, x *claim.Clause) bool {
	t := &c.Terms[i]
	return t.Role&(claim.Unasserted|claim.StopWord) == 0 && (c.predicated(i, x) || i > x.Verb && c.Terms[i-1].Lower == "and")
}

// tellsApart reports a term that describes what its clause is about, rather than
// being said of it: the asynchronous writer.
func (c side) tellsApart(i int) bool {
	terms := c.Terms
	if i+1 == len(terms) || terms[i+1].Weight == 0 || terms[i+1].Role&claim.StopWord != 0 {
		return false
	}
	for j := c.ClauseOf(i).From; j < i; j++ {
		if terms[j].Role&claim.StopWord == 0 {
			return terms[i].Role&claim.Topic != 0 && terms[i+1].Role&claim.Topic != 0
		}
	}
	return true
}
