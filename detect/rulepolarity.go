package detect

// polarity finds what one claim says and the other denies.
func (p *pair) polarity(i, j int) (clash, bool) {
	x, y := &p.a.read.clauses[i], &p.b.read.clauses[j]
	if (x.signs|y.signs)&(hasDenial|hasOpposed) == 0 || !together(x.conditions, y.conditions, p) {
		return clash{}, false
	}
	a, b := p.sides(i, j)
	g := agree(a, b)
	switch {
	case (x.denials+y.denials+g.restA.opposed)%2 == 0, g.restA.strong > 0 && g.restB.strong > 0:
		return clash{}, false
	case g.restA.opposed == 0 && !(p.denies(p.a, x, p.b) || p.denies(p.b, y, p.a)):
		return clash{}, false
	}
	debug(p, "polarity", g)
	if rest := g.restA.strong + g.restB.strong; rest > 2 || rest > 0 && g.restA.directions > 0 || g.common < 6 || g.strong < 2 && rest > 0 {
		return clash{}, false
	}
	c := clash{rule: byPolarity, tier: TierEntity}
	c.a, c.b = p.a.core(x), p.b.core(y)
	c.what = p.a.Text[c.a.Start:c.a.End]
	return c, p.sameThing(g)
}

// denies reports whether what a clause denies is spoken of by the other claim.
func (p *pair) denies(c *Claim, x *clause, other *Claim) bool {
	for i := x.from; i < x.to; i++ {
		if c.read.terms[i].role&denial == 0 {
			continue
		}
		for j := i + 1; j < x.to && j < i+4; j++ {
			if t := &c.read.terms[j]; t.role&glue == 0 {
				return other.read.find(t.id) >= 0
			}
		}
	}
	return false
}

// core returns where a clause has its denial or opposed word, or all of it.
func (c *Claim) core(x *clause) Place {
	for i := x.from; i < x.to; i++ {
		if t := &c.read.terms[i]; t.role&denial != 0 || t.opposed != 0 {
			return Place{t.start, t.end}
		}
	}
	return Place{c.read.terms[x.from].start, c.read.terms[x.to-1].end}
}
