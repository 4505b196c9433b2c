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
func (p *pair) missing(no, yes side) (clash, bool) {
	for i := range no.read.clauses {
		x := &no.read.clauses[i]
		if !x.dismisses || x.denials > 1 || x.reserved || x.idle || len(x.conditions) > 0 {
			continue
		}
		at := no.denied(x, yes)
		if at < 0 {
			continue
		}
		found := yes.read.find(no.read.terms[at].id)
		y := yes.read.clauseOf(found)
		if y.denials > 0 || y.reserved || y.idle || len(y.conditions) > 0 || y.signs&hasOpposed != 0 || !yes.hasIt(found, y) {
			continue
		}
		a, b := no.clausePart(i), yes.whole()
		a.without, b.without, b.figures = span{at, at + 1}, span{found, found + 1}, true
		g := agree(a, b)
		flat := p.scopes == sameScope && g.common == 0 && no.unused(at, x)
		if flat || p.coversAll(x, g) || yes.everyOne(y) {
			t, u := &no.read.terms[at], &yes.read.terms[found]
			return clash{rule: byDenial, tier: TierEntity, a: placeAt(t.start, t.end), b: placeAt(u.start, u.end), what: no.word(t), unsure: !flat}, true
		}
	}
	return clash{}, false
}

// unused reports a clause that says no more than that term at is not used: of what
// it holds, everything else must hold too.
func (c side) unused(at int, x *clause) bool {
	for i := x.from; i < x.to; i++ {
		if t := &c.read.terms[i]; i != at && t.role&(glue|denial) == 0 && !inUse(t.low) && !light(t.low) && t.low != "we" {
			return false
		}
	}
	return true
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
		return g.topic || general
	}
	return g.strong > 1 || general
}

// denied returns the named term that a clause says is not there, not used or not
// supported, and that the other claim has; or -1: right behind the denial, or behind
// "does not use", or before "is not used".
func (c side) denied(x *clause, other side) int {
	for i := x.from; i < x.to; i++ {
		if t := &c.read.terms[i]; t.role&denial == 0 && t.traits&dismissing == 0 {
			continue
		}
		for j := i + 1; j < x.to && j <= i+4; j++ {
			if c.names(j, other) {
				return j
			}
			if t := &c.read.terms[j]; t.role&glue == 0 && !inUse(t.low) && t.traits&universal == 0 && !light(t.low) {
				break
			}
		}
		if c.read.terms[i].traits&dismissing != 0 {
			for j := i - 1; j >= x.from && j >= i-5; j-- {
				if c.port(j) && other.read.find(c.read.terms[j].id) >= 0 {
					return j
				}
			}
		}
		if i+1 < x.to && inUse(c.read.terms[i+1].low) {
			for j := i - 1; j >= x.from && j >= i-2; j-- {
				if c.names(j, other) {
					return j
				}
			}
		}
	}
	return -1
}

// port reports whether term i is a port.
func (c side) port(i int) bool {
	v := c.read.terms[i].value
	return v > 0 && c.read.values[v-1].Type == Port
}

// inUse reports the verbs and adjectives that say that something is there or used.
func inUse(w string) bool {
	switch w {
	case "use", "uses", "used", "using", "support", "supports", "supported", "contain", "contains", "present", "available", "takes", "take",
		"there", "needed", "depends", "depend", "involved", "allowed", "installed", "service", "endpoint", "app", "job":
		return true
	}
	return false
}

// hasIt reports whether the claim says of the term found that it is there or used:
// a word for that stands shortly before it, or it is a port, or all are said to do
// something with it.
func (c side) hasIt(found int, y *clause) bool {
	if c.port(found) || c.everyOne(y) {
		return true
	}
	if found+2 < y.to && classify(c.read.terms[found+1].low)&be != 0 && inUse(c.read.terms[found+2].low) {
		return true
	}
	for i := found - 1; i >= y.from && i >= found-6; i-- {
		t := &c.read.terms[i]
		w := t.low
		if t.traits&relation != 0 || inUse(w) || classify(w)&have != 0 || w == "via" || w == "through" {
			return true
		}
	}
	return false
}

// names reports whether term i is a name or one of a kind that the other claim
// has too.
func (c side) names(i int, other side) bool {
	t := &c.read.terms[i]
	at := other.read.find(t.id)
	switch {
	case at < 0, t.weight == 0, light(t.low):
		return false
	case (t.role|other.read.terms[at].role)&literal != 0 && t.end-t.start > 2:
		return true
	}
	return t.role&owning != 0 || t.kinds != 0
}
