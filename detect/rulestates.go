package detect

// oppositeStates finds two clauses that begin with the same words and say of them
// opposite things, whatever they say besides: "INC-7 is ongoing and ..." and
// "INC-7 has been resolved".
func (p *pair) oppositeStates(x, y *clause, whole agreement) (clash, bool) {
	i, j := p.opposed(x, y)
	if i < 0 || x.denials+y.denials > 0 || min(whole.restA.narrowing, whole.restB.narrowing) > 0 || whole.contrasting || !p.a.subjectIn(x, p.b) || !p.b.subjectIn(y, p.a) {
		return clash{}, false
	}
	t, u := &p.a.read.terms[i], &p.b.read.terms[j]
	c := clash{rule: byPolarity, tier: TierEntity, a: placeAt(t.start, t.end), b: placeAt(u.start, u.end)}
	if p.namesakes(x, y) && whole.restA.special()+whole.restB.special() == 0 {
		return c, true
	}
	a, b := p.a.part(span{x.from, x.verb}), p.b.part(span{y.from, y.verb})
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
func (p *pair) opposed(x, y *clause) (i, j int) {
	for i := x.verb; i < x.to; i++ {
		for j := y.verb; j < y.to && p.a.opposable(i, x); j++ {
			if p.a.read.terms[i].opposite(&p.b.read.terms[j]) && p.b.opposable(j, y) {
				return i, j
			}
		}
	}
	return -1, -1
}

// opposable reports whether term i is said of the subject of a clause.
func (c side) opposable(i int, x *clause) bool {
	t := &c.read.terms[i]
	return t.role&(shadow|glue) == 0 && (c.predicated(i, x) || i > x.verb && c.read.terms[i-1].low == "and")
}

// tellsApart reports a term that describes what its clause is about, rather than
// being said of it: the asynchronous writer.
func (c side) tellsApart(i int) bool {
	terms := c.read.terms
	if i+1 == len(terms) || terms[i+1].weight == 0 || terms[i+1].role&glue != 0 {
		return false
	}
	for j := c.read.clauseOf(i).from; j < i; j++ {
		if terms[j].role&glue == 0 {
			return terms[i].role&topic != 0 && terms[i+1].role&topic != 0
		}
	}
	return true
}
