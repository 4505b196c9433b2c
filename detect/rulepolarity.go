package detect

// polarity finds what one claim says and the other denies.
//
// Whether a clause says something or denies it is the parity of what it has of
// denials (not, never, without) and of opposites of words in the other (enabled
// and disabled). What directly follows a denial must be what the other asserts, and
// of the same subject (denials.go, subjects.go); the longer the clauses, the more
// they must share.
func (p *pair) polarity(i, j int) (clash, bool) {
	x, y := &p.a.read.clauses[i], &p.b.read.clauses[j]
	if (x.signs|y.signs)&(hasDenial|hasOpposed) == 0 || (x.signs|y.signs)&hasOrder != 0 || x.reserved || y.reserved ||
		x.denials > 1 || y.denials > 1 || !p.together(x.conditions, y.conditions) {
		return clash{}, false
	}
	g := agree(p.a.clausePart(i), p.b.clausePart(j))
	if c, ok := p.oppositeStates(x, y, g); ok {
		return c, true
	}
	switch {
	case (x.denials+y.denials+g.restA.opposed)%2 == 0, p.narrower(x, y, g), !p.sameThing(g), p.ended(x, y), !p.covers(g) && p.cases(x.from, y.from):
		return clash{}, false
	case g.restA.opposed > 0:
		return p.opposites(x, y, g)
	case p.turned(x, y), !p.covers(g) && !p.sameSubject(x, y), p.a.optional(x) && !p.b.forbids(y), p.b.optional(y) && !p.a.forbids(x):
		return clash{}, false
	case !p.a.deniesOf(x, p.b, y) && !p.b.deniesOf(y, p.a, x):
		return clash{}, false
	}
	c := clash{rule: byPolarity, tier: TierEntity, a: p.a.predicate(x), b: p.b.predicate(y), denied: true}
	c.what = p.a.quote(c.a)
	if x.denials > 0 {
		c.what = p.b.quote(c.b)
	}
	return c, true
}

// predicate is where a clause says something of its subject; all of it where its
// verb is not known.
func (c side) predicate(x *clause) Place {
	from := x.verb
	for i := x.verb; i >= x.from; i-- {
		if c.read.terms[i].role&denial != 0 {
			from = i
		}
	}
	return c.place(span{from, x.to})
}

// narrower reports that two clauses agree too little for one to deny the other:
//
//  1. They say more beside what they share than half of that, or name literally what
//     the other does not.
//  2. The one that denies speaks of something more special, or of what lies
//     below or above a value.
//  3. Either says much that the other does not, unless what is denied is the
//     whole of what the other says, or two states of one thing are opposed.
//  4. An opposition such as internal and external may tell two things apart.
func (p *pair) narrower(x, y *clause, g agreement) bool {
	low, rest := min(g.restA.strong, g.restB.strong), g.restA.strong+g.restB.strong
	states := g.restA.opposed > g.restA.directions && x.denials+y.denials == 0 && g.strong > 1 && low < 2
	switch {
	case p.covers(g):
		return false
	case g.long(), g.restA.literals+g.restB.literals > 0:
		return true
	case x.denials > 0 && g.restA.special() > 0, y.denials > 0 && g.restB.special() > 0, p.a.bounded(x, g.restA), p.b.bounded(y, g.restB):
		return true
	case low > 0 && !states, rest > 2 && !states && (g.strong < 3 || x.denials+y.denials == 0):
		return true
	case rest > 0 && (g.strong < 2 || g.restA.directions > 0), g.restA.contrasts+g.restB.contrasts > 0 && (x.signs|y.signs)&hasUniversal == 0 && !p.a.says(x, "never") && !p.b.says(y, "never"):
		return true
	}
	return g.common < 2*strongWeight
}

// opposites finds two words in the clauses that are opposites; a claim that has
// both ends does not say which holds.
func (p *pair) opposites(x, y *clause, g agreement) (clash, bool) {
	for i := x.from; i < x.to; i++ {
		t := &p.a.read.terms[i]
		for j := y.from; j < y.to; j++ {
			u := &p.b.read.terms[j]
			if t.opposite(u) && !(p.a.tellsApart(i) && p.b.tellsApart(j)) && !p.a.read.both(t.id) && !p.b.read.both(t.id) {
				return clash{rule: byPolarity, tier: TierEntity, a: placeAt(t.start, t.end), b: placeAt(u.start, u.end), unsure: g.unsure()}, true
			}
		}
	}
	return clash{}, false
}

// opposite reports two words of which one is the opposite of the other, or denies
// it by a prefix, so that only one of them has an end of its own: unprotected.
func (t *term) opposite(u *term) bool {
	return t.id == u.id && (t.opposed < 0) != (u.opposed < 0)
}

// bounded reports whether a clause denies something of what lies below or above
// a value.
func (c side) bounded(x *clause, r rest) bool {
	if x.denials+r.opposed == 0 {
		return false
	}
	for i := x.from; i < x.to; i++ {
		switch t := &c.read.terms[i]; {
		case t.value > 0 && c.read.values[t.value-1].Bound != Exactly:
			return true
		case i > x.from && (t.value > 0 || t.role&figure != 0):
			switch c.read.terms[i-1].low {
			case "below", "above", "under", "over", "than":
				return true
			}
		}
	}
	return false
}

// both reports whether a claim has both ends of an opposition.
func (r *reading) both(id uint32) bool {
	var plus, minus bool
	for i := range r.terms {
		if t := &r.terms[i]; t.id == id {
			plus, minus = plus || t.opposed >= 0, minus || t.opposed < 0
		}
	}
	return plus && minus
}
