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
	c := clash{rule: byStage, tier: TierTemporal, a: p.a.stagePlace(s), b: p.b.stagePlace(t)}
	switch {
	case p.a.says(x, "until") || p.b.says(y, "until"):
		return c, false // what is going may stay until then
	case g.restA.narrowing > 0 && g.restB.narrowing > 0:
		return c, false // gone for some, in use for others
	case p.namesakes(x, y) && !p.a.narrowed(s, x) && !p.b.narrowed(t, y):
		return c, true
	}
	if g.restA.contrasts+g.restB.contrasts > 0 || !p.a.subjectIn(x, p.b) || !p.b.subjectIn(y, p.a) {
		return c, false // the old page, and its documentation
	}
	return c, p.sameThing(g) && !p.cases(x.from, y.from) && !p.a.modified(x, p.b) && !p.b.modified(y, p.a)
}

// livesApart reports two releases that are what their clauses are about, one gone and
// one in use: of two things, as Python 2 and Python 3.
func (p *pair) livesApart(v, w *Entity) bool {
	i, j := p.a.read.at(v.Start), p.b.read.at(w.Start)
	if i == len(p.a.read.terms) || j == len(p.b.read.terms) {
		return false
	}
	x, y := p.a.read.clauseOf(i), p.b.read.clauseOf(j)
	s, t := p.a.stage(x), p.b.stage(y)
	return s >= 0 && t >= 0 && i < x.verb && j < y.verb && p.a.read.terms[s].life != p.b.read.terms[t].life
}

// stagePlace is where a stage stands, of "end of life" all of it.
func (c side) stagePlace(i int) Place {
	s := span{i, i + 1}
	for s.to < len(c.read.terms) && c.read.terms[i].low == "end" && s.to < i+3 {
		s.to++
	}
	return c.place(s)
}

// stage returns the term that says at which stage of life the subject is, or -1:
// a word right behind "is" or "was". What is gone may be what was in use, but not
// the other way round.
func (c side) stage(x *clause) int {
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
func (c side) predicated(i int, x *clause) bool {
	for i--; i >= x.from; i-- {
		t := &c.read.terms[i]
		switch class := classify(t.low); {
		case class&be != 0 || t.low == "been" || t.low == "reached":
			return true
		case class&(adverb|neg|aux) == 0 && t.role&glue == 0:
			return false
		}
	}
	return false
}
