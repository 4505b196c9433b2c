package detect

// stages finds what is gone for one claim and in use for the other.
func (p *pair) stages(i, j int) (clash, bool) {
	x, y := &p.a.read.clauses[i], &p.b.read.clauses[j]
	if x.signs&y.signs&hasLife == 0 || !p.together(x.conditions, y.conditions) {
		return clash{}, false
	}
	s, t := p.a.stage(x), p.b.stage(y)
	if s < 0 || t < 0 {
		return clash{}, false
	}
	u, w := &p.a.read.terms[s], &p.b.read.terms[t]
	signA, signB := int(u.life)*(1-2*(x.denials%2)), int(w.life)*(1-2*(y.denials%2))
	if signA == signB || u.id == w.id {
		return clash{}, false
	}
	a, b := p.a.clausePart(i), p.b.clausePart(j)
	a.without, b.without = span{s, s + 1}, span{t, t + 1}
	g := agree(a, b)
	return clash{rule: byStage, tier: TierTemporal, a: Place{u.start, u.end}, b: Place{w.start, w.end}}, p.sameThing(g)
}

// stage returns the term that says at which stage of life the subject is, or -1:
// a word right behind "is" or "was". What is gone may be what was in use, but not
// the other way round.
func (c *Claim) stage(x *clause) int {
	at := -1
	for i := x.from; i < x.to; i++ {
		switch t := &c.read.terms[i]; {
		case t.life == 0 || t.role&shadow != 0 || !c.predicated(i, x):
		case t.life < 0:
			return i
		case at < 0:
			at = i
		}
	}
	return at
}

// predicated reports whether term i is said of the subject of a clause: it stands
// behind a form of "to be", with adverbs and denials at most in between.
func (c *Claim) predicated(i int, x *clause) bool {
	for i--; i >= x.from; i-- {
		t := &c.read.terms[i]
		switch class := classify(t.low); {
		case class&be != 0 || t.low == "been":
			return true
		case class&(adverb|neg|aux) == 0 && t.role&glue == 0:
			return false
		}
	}
	return false
}
