package detect

// denial finds a named thing that one claim says is not there or not used, and
// that the other speaks of as if it was: "no service uses DynamoDB" and "keeps
// its labels in a DynamoDB table".
func (p *pair) denial() (clash, bool) {
	if c, ok := p.missing(p.a, p.b); ok {
		return c, true
	}
	c, ok := p.missing(p.b, p.a)
	c.a, c.b = c.b, c.a
	return c, ok
}

// missing looks for what the claim no denies and the claim yes has.
func (p *pair) missing(no, yes *Claim) (clash, bool) {
	for i := range no.read.clauses {
		x := &no.read.clauses[i]
		if x.denials != 1 || x.reserved || len(x.conditions) > 0 {
			continue
		}
		at := no.denied(x, yes)
		if at < 0 {
			continue
		}
		found := yes.read.find(no.read.terms[at].id)
		y := yes.read.clauseOf(found)
		if y.denials > 0 || y.reserved || len(y.conditions) > 0 || y.signs&hasOpposed != 0 {
			continue
		}
		a, b := no.clausePart(i), yes.whole()
		a.without, b.without, b.figures = span{at, at + 1}, span{found, found + 1}, true
		g := agree(a, b)
		if p.coversAll(x, g) {
			t, u := &no.read.terms[at], &yes.read.terms[found]
			return clash{rule: byDenial, tier: TierEntity, a: Place{t.start, t.end}, b: Place{u.start, u.end}, what: no.word(t), unsure: true}, true
		}
	}
	return clash{}, false
}

// coversAll reports whether a denial leaves no room for what the other claim
// says: it has nothing that the other has not, and either both share more than
// the name, or it speaks of all there are.
func (p *pair) coversAll(x *clause, g agreement) bool {
	general := x.signs&hasUniversal != 0
	switch {
	case g.contrasting, g.restA.strong > 0, g.restA.qualified > 0, g.restA.figures > 0:
		return false
	case p.scopes == elsewhere:
		return g.own || general
	}
	return g.strong > 1 || general
}

// denied returns the named term right behind the denial of a clause, or before
// "is not", that the other claim has; or -1.
func (c *Claim) denied(x *clause, other *Claim) int {
	for i := x.from; i < x.to; i++ {
		if c.read.terms[i].role&denial == 0 {
			continue
		}
		for j := i + 1; j < x.to && j <= i+4; j++ {
			if c.names(j, other) {
				return j
			}
		}
		for j := i - 1; j >= x.from && j >= i-2; j-- {
			if c.names(j, other) {
				return j
			}
		}
	}
	return -1
}

// names reports whether term i is a name or one of a kind that the other claim
// has too.
func (c *Claim) names(i int, other *Claim) bool {
	t := &c.read.terms[i]
	return (t.role&owning != 0 || t.role&literal != 0 && t.end-t.start > 2 || t.kinds != 0) && t.weight > 0 && other.read.find(t.id) >= 0
}
