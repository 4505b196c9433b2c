package detect

// change finds what one claim says is no longer so, and the other says is so:
// "moved off 4000" and "the dev server listens on 4000".
func (p *pair) change() (clash, bool) {
	if c, ok := p.revoked(p.a, p.b); ok {
		return c, true
	}
	c, ok := p.revoked(p.b, p.a)
	c.a, c.b, c.newer = c.b, c.a, SideB
	return c, ok
}

// revoked looks in old for what the claim that is now mentions as past.
func (p *pair) revoked(now, old side) (clash, bool) {
	for i := range now.read.terms {
		t := &now.read.terms[i]
		at := old.read.find(t.id)
		if t.role&past == 0 || !now.read.tells(i) || now.read.idleAt(t.start) || at < 0 || now.read.affirms(t.id) || old.read.idleAt(old.read.terms[at].start) {
			continue
		}
		b := old.whole()
		b.without = span{at, at + 1}
		g := agree(now.whole(), b)
		if g.strong == 0 || g.restB.strong > min(g.strong-1, 1) || p.scopes == elsewhere && !g.topic {
			continue
		}
		c := clash{rule: byChange, tier: TierEntity, a: placeAt(t.start, t.end), b: old.placeOf(at), newer: SideA}
		if next := now.successor(i); next >= 0 {
			c.a, c.replaced = now.placeOf(next), true
		}
		return c, true
	}
	return clash{}, false
}

// successor returns the term of what took the place of term i: of the same kind,
// and behind it; or -1.
func (c side) successor(i int) int {
	t := &c.read.terms[i]
	for j := i + 1; j < len(c.read.terms); j++ {
		u := &c.read.terms[j]
		switch {
		case u.role&shadow != 0 || u.id == t.id:
		case t.value == 0 && t.role&u.role&figure != 0:
			return j
		case t.value > 0 && u.value > 0 && u.value != t.value:
			if c.read.values[t.value-1].Type == c.read.values[u.value-1].Type {
				return j
			}
		case t.value == 0 && u.value == 0 && (t.kinds&u.kinds != 0 || t.kinds == 0 && u.kinds == 0 && t.role&u.role&named != 0):
			return j
		}
	}
	return -1
}

// placeOf returns where term i stands, and all of the value that it is part of.
func (c side) placeOf(i int) Place {
	t := &c.read.terms[i]
	if t.value > 0 {
		v := &c.read.values[t.value-1]
		return placeAt(v.Start, v.End)
	}
	return placeAt(t.start, t.end)
}

// tells reports a term that says which of several: a name, a number, one of a
// kind. Of a value only the first term does, not its unit.
func (r *reading) tells(i int) bool {
	t := &r.terms[i]
	if t.value > 0 {
		return r.values[t.value-1].from == i
	}
	return t.role&(figure|named) != 0 || t.kinds != 0
}

// whole is all of a claim.
func (c side) whole() part { return c.part(span{0, len(c.read.terms)}) }

// all is where all of a claim stands.
func (c side) all() Place { return c.place(span{0, len(c.read.terms)}) }

// part is the terms of a span.
func (c side) part(s span) part { return part{claim: c, within: s, subject: span{s.from, s.from}} }
