package detect

// mostReplaced is how many terms an edit may replace.
const mostReplaced = 3

// edit finds sentences that differ in one small part. Near is true where they
// do, whatever the part is.
func (p *pair) edit() (c clash, found, near bool) {
	x, y := p.a.read.terms, p.b.read.terms
	head := 0
	for head < len(x) && head < len(y) && same(&x[head], &y[head]) {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && same(&x[len(x)-1-tail], &y[len(y)-1-tail]) {
		tail++
	}
	s, t := span{head, len(x) - tail}, span{head, len(y) - tail}
	size := max(s.to-s.from, t.to-t.from)
	if size > mostReplaced || head+tail < max(2*size, 3) || weightOf(x[:head])+weightOf(x[s.to:]) < p.frame(s, t) {
		return clash{}, false, false
	}
	c = clash{rule: byEdit, tier: TierEntity, a: p.a.place(s), b: p.b.place(t)}
	c, found = p.replaced(c, s, t)
	return c, found, head+tail >= 4*size
}

// frame is how much what two sentences share must weigh. Within one scope less will
// do for two of a kind or two opposites, which are seldom said of different things
// in the same words.
func (p *pair) frame(s, t span) int {
	i, j := solid(p.a.read.terms[s.from:s.to]), solid(p.b.read.terms[t.from:t.to])
	if p.scopes == sameScope && i >= 0 && j >= 0 {
		u, v := &p.a.read.terms[s.from+i], &p.b.read.terms[t.from+j]
		if s.from+i > 0 && (u.opposite(v) || u.kinds&v.kinds != 0 && u.value+v.value == 0) {
			return 2 * weakWeight
		}
	}
	return strongWeight + 2*weakWeight
}

// weightOf adds up the weights of terms.
func weightOf(terms []term) (weight int) {
	for i := range terms {
		weight += int(terms[i].weight)
	}
	return weight
}

// same compares two terms of sentences that may be near identical.
func same(a, b *term) bool {
	return a.id == b.id && a.opposed == b.opposed && a.role&denial == b.role&denial
}

// placeAt is the place of some bytes.
func placeAt(start, end int) Place { return Place{Start: start, End: end} }

// place returns where some terms stand; of none, where they would.
func (c side) place(s span) Place {
	if s.from == s.to {
		if s.from == 0 {
			return Place{}
		}
		end := c.read.terms[s.from-1].end
		return placeAt(end, end)
	}
	return placeAt(c.read.terms[s.from].start, c.read.terms[s.to-1].end)
}

// replaced judges a replaced part by what it is.
//
//  1. A denial, or a word that denies: not, optional.
//  2. Two numbers, dates or versions, or names that differ in a number.
//  3. Two opposites, two of a kind, or two names in a place for one.
func (p *pair) replaced(c clash, s, t span) (clash, bool) {
	x, y := p.a.read.terms[s.from:s.to], p.b.read.terms[t.from:t.to]
	if p.a.read.reserved() != p.b.read.reserved() || p.a.vague() && p.b.vague() {
		return clash{}, false
	}
	if bare(x) && bare(y) && negated(x) != negated(y) && denials(x)+denials(y) > 0 {
		c.rule, c.denied, c.what = byPolarity, true, p.b.quote(p.b.all())
		if denials(x) == 0 {
			c.what = p.a.quote(p.a.all())
		}
		return c, true
	}
	i, j := solid(x), solid(y)
	if i < 0 || j < 0 || p.a.supposes(x[i].id) || p.b.supposes(y[j].id) {
		return clash{}, false
	}
	u, v := &x[i], &y[j]
	figures := u.role&figure != 0 && v.role&figure != 0 || u.value > 0 && v.value > 0
	switch first := s.from+i == 0; {
	case first || figures:
		return p.figures(c, u, v, s.from+i)
	case p.numbered(u, v):
		return c, true
	case u.opposite(v) && (p.a.tellsApart(s.from+i) && p.b.tellsApart(t.from+j) || p.cases(s.from+i, t.from+j)):
		return clash{}, false
	case u.opposite(v):
		c.rule = byPolarity
		return c, true
	case u.life*v.life < 0:
		c.rule, c.tier = byStage, TierTemporal
		return c, true
	case u.kinds&v.kinds != 0:
		c.rule, c.what = byChoice, kindName(u.kinds&v.kinds)
		x := p.a.read.clauseOf(s.from + i)
		return c, s.from+i > x.verb && x.verb > x.from && !x.open
	}
	return c, u.role&(literal|named) != 0 && v.role&(literal|named) != 0 && p.a.holds(s.from+i)
}

// vague reports a claim about some of many, without saying which.
func (c side) vague() bool {
	switch c.read.terms[0].low {
	case "some", "certain", "several", "many", "another":
		return true
	}
	return false
}

// figures judges two numbers, of which the first is term i. A number behind a
// word such as phase is a name; so is one that begins a sentence, but for amounts
// and dates: "30 minutes have passed", not "v1.21: ...".
func (p *pair) figures(c clash, u, v *term, i int) (clash, bool) {
	if u.value == 0 || v.value == 0 {
		return c, i > 0 && classify(p.a.read.terms[i-1].low)&label == 0
	}
	e, f := &p.a.read.values[u.value-1].Entity, &p.b.read.values[v.value-1].Entity
	c.tier = tierOf(e)
	switch {
	case e.Type == f.Type && e.Unit == f.Unit && !exclusive(*e, *f):
		return clash{}, false
	case i == 0:
		return c, e.Type == f.Type && (e.Type == Number || e.Type == Date)
	}
	return c, classify(p.a.read.terms[i-1].low)&label == 0
}
