package detect

import "slices"

// edit finds sentences that differ in one small part.
func (p *pair) edit() (clash, bool) {
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
	if size > 3 || head+tail < 2*size || head+tail < 3 {
		return clash{}, false
	}
	common := 0
	for i := range x {
		if !s.has(i) {
			common += int(x[i].weight)
		}
	}
	if common < 5 {
		return clash{}, false
	}
	c := clash{rule: byEdit, tier: TierEntity, a: p.a.place(s), b: p.b.place(t)}
	return p.replaced(c, s, t)
}

// same compares two terms of sentences that may be near identical.
func same(a, b *term) bool {
	return a.id == b.id && a.opposed == b.opposed && a.role&denial == b.role&denial
}

// place returns where some terms stand; of none, where they would.
func (c *Claim) place(s span) Place {
	if s.from == s.to {
		if s.from == 0 {
			return Place{}
		}
		end := c.read.terms[s.from-1].end
		return Place{end, end}
	}
	return Place{c.read.terms[s.from].start, c.read.terms[s.to-1].end}
}

// replaced judges a replaced part by what it is.
func (p *pair) replaced(c clash, s, t span) (clash, bool) {
	x, y := p.a.read.terms[s.from:s.to], p.b.read.terms[t.from:t.to]
	if denials(x) != denials(y) && bare(x) && bare(y) {
		c.rule = byPolarity
		return c, true
	}
	i, j := solid(x), solid(y)
	if i < 0 || j < 0 || p.a.supposes(x[i].id) || p.b.supposes(y[j].id) {
		return clash{}, false
	}
	u, v := &x[i], &y[j]
	if s.from+i == 0 {
		return clash{}, false
	}
	before := &p.a.read.terms[s.from+i-1]
	switch {
	case u.role&figure != 0 && v.role&figure != 0 || u.value > 0 && v.value > 0:
		if u.value > 0 && v.value > 0 {
			e, f := &p.a.read.values[u.value-1], &p.b.read.values[v.value-1]
			if e.Type == f.Type && e.Unit == f.Unit && !exclusive(e.Entity, f.Entity) {
				return clash{}, false
			}
			c.tier = tierOf(&e.Entity)
		}
		return c, classify(p.a.word(before))&label == 0
	case u.id == v.id && u.opposed*v.opposed < 0:
		c.rule = byPolarity
		return c, true
	case u.kinds&v.kinds != 0:
		return c, p.holds(s.from+i, p.a)
	case u.role&(literal|named) != 0 && v.role&(literal|named) != 0:
		return c, p.holds(s.from+i, p.a)
	}
	return clash{}, false
}

// holds reports whether term i stands where one thing only can stand: behind
// "is" or a word for what has one value, or behind a preposition that belongs to
// a word such as stored, written, owned, set or named.
func (p *pair) holds(i int, c *Claim) bool {
	terms := c.read.terms
	if i+1 < len(terms) && (terms[i+1].role&glue == 0 && terms[i+1].start-terms[i].end < 2) {
		return false
	}
	j := i - 1
	for j > 0 && (c.word(&terms[j]) == "the" || c.word(&terms[j]) == "a") {
		j--
	}
	switch c.word(&terms[j]) {
	case "is", "are":
		return true
	case "to", "by", "in", "on", "at", "as", "under", "with":
		for k := j - 1; k >= 0 && k >= j-4; k-- {
			if terms[k].traits&relation != 0 {
				return true
			}
		}
		return false
	}
	return terms[j].traits&single != 0
}

// supposes reports whether a word is part of a condition of the claim.
func (c *Claim) supposes(id uint32) bool {
	for i := range c.read.clauses {
		for _, condition := range c.read.clauses[i].conditions {
			if slices.Contains(condition.ids, id) {
				return true
			}
		}
	}
	return false
}

func denials(terms []term) (n int) {
	for i := range terms {
		if terms[i].role&denial != 0 {
			n++
		}
	}
	return n % 2
}

// bare reports terms that say nothing but whether something is so.
func bare(terms []term) bool {
	for i := range terms {
		if terms[i].weight > weakWeight {
			return false
		}
	}
	return true
}

// solid returns the only term that says something, or -1.
func solid(terms []term) int {
	at := -1
	for i := range terms {
		if t := &terms[i]; t.role&glue == 0 {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}
