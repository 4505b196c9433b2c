package detect

// polarity finds what one claim says and the other denies.
//
// Whether a clause says something or denies it is the parity of what it has of:
//  1. denials: not, never, without;
//  2. opposites of words in the other: enabled and disabled;
//  3. words that deny by themselves, and that the other lacks: disabled.
func (p *pair) polarity(i, j int) (clash, bool) {
	x, y := &p.a.read.clauses[i], &p.b.read.clauses[j]
	if (x.signs|y.signs)&(hasDenial|hasOpposed) == 0 || (x.signs|y.signs)&hasOrder != 0 || x.reserved || y.reserved ||
		x.denials > 1 || y.denials > 1 || !p.together(x.conditions, y.conditions) {
		return clash{}, false
	}
	g := agree(p.a.clausePart(i), p.b.clausePart(j))
	negative := g.restA.negative + g.restB.negative
	switch {
	case (x.denials+y.denials+g.restA.opposed+negative)%2 == 0, p.narrower(x, y, g), !p.sameThing(g):
		return clash{}, false
	case g.restA.opposed > 0:
		return p.opposites(x, y, g)
	case p.turned(x, y), negative == 0 && !p.a.deniesOf(x, p.b) && !p.b.deniesOf(y, p.a):
		return clash{}, false
	}
	c := clash{rule: byPolarity, tier: TierEntity, a: p.a.place(span{x.from, x.to}), b: p.b.place(span{y.from, y.to}), denied: true}
	c.what = p.a.quote(c.a)
	if x.denials > 0 {
		c.what = p.b.quote(c.b)
	}
	return c, true
}

// narrower reports that two clauses agree too little for one to deny the other:
//
//  1. The one that denies speaks of something more special, or of what lies
//     below or above a value.
//  2. Either says much that the other does not, unless what is denied is the
//     whole of what the other says, or two states of one thing are opposed.
//  3. An opposition such as internal and external may tell two things apart.
func (p *pair) narrower(x, y *clause, g agreement) bool {
	low, rest := min(g.restA.strong, g.restB.strong), g.restA.strong+g.restB.strong
	states := g.restA.opposed > g.restA.directions && x.denials+y.denials == 0 && g.strong > 1 && low < 2
	switch {
	case p.covers(g):
		return false
	case x.denials > 0 && g.restA.strong > 0, y.denials > 0 && g.restB.strong > 0, p.a.bounded(x, g.restA), p.b.bounded(y, g.restB):
		return true
	case low > 0 && !states, rest > 2 && !states && (g.strong < 3 || x.denials+y.denials == 0):
		return true
	case rest > 0 && (g.strong < 2 || g.restA.directions > 0), g.restA.contrasts+g.restB.contrasts > 0 && (x.signs|y.signs)&hasUniversal == 0:
		return true
	}
	return g.common < 2*strongWeight
}

// turned reports that the subject of each clause is spoken of in the other as
// something else: "a depends on b" does not deny that b depends on a.
func (p *pair) turned(x, y *clause) bool {
	s, t := p.a.actor(x), p.b.actor(y)
	return s != 0 && t != 0 && s != t && p.a.read.find(t) >= 0 && p.b.read.find(s) >= 0
}

// actor returns the meaning of the word before the verb, unless the clause is in
// the passive, or has no such word.
func (c *Claim) actor(x *clause) (id uint32) {
	for i := x.from; i < x.to; i++ {
		t := &c.read.terms[i]
		if i < x.verb && t.weight >= strongWeight {
			id = t.id
		}
		switch c.word(t) {
		case "by", "is", "are", "be", "was", "were":
			return 0
		}
	}
	return id
}

// deniesOf reports whether what a clause denies is spoken of by the other claim.
func (c *Claim) deniesOf(x *clause, other *Claim) bool {
	for i := x.from; i < x.to; i++ {
		if c.read.terms[i].role&denial == 0 {
			continue
		}
		for j := i + 1; j < x.to && j < i+5; j++ {
			t := &c.read.terms[j]
			if t.role&glue == 0 && other.read.find(t.id) >= 0 {
				return true
			}
			if t.weight >= strongWeight {
				break
			}
		}
	}
	return false
}

// opposites finds two words in the clauses that are opposites; a claim that has
// both ends does not say which holds.
func (p *pair) opposites(x, y *clause, g agreement) (clash, bool) {
	for i := x.from; i < x.to; i++ {
		t := &p.a.read.terms[i]
		for j := y.from; t.opposed != 0 && j < y.to; j++ {
			u := &p.b.read.terms[j]
			if t.id == u.id && t.opposed == -u.opposed && !p.a.read.both(t.id) && !p.b.read.both(t.id) {
				return clash{rule: byPolarity, tier: TierEntity, a: Place{t.start, t.end}, b: Place{u.start, u.end}, unsure: g.unsure()}, true
			}
		}
	}
	return clash{}, false
}

// bounded reports whether a clause denies something of what lies below or above
// a value.
func (c *Claim) bounded(x *clause, r rest) bool {
	if x.denials+r.negative+r.opposed == 0 {
		return false
	}
	for i := x.from; i < x.to; i++ {
		switch t := &c.read.terms[i]; {
		case t.value > 0 && c.read.values[t.value-1].Bound != Exactly:
			return true
		case i > x.from && (t.value > 0 || t.role&figure != 0):
			switch c.word(&c.read.terms[i-1]) {
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
			plus, minus = plus || t.opposed > 0, minus || t.opposed < 0
		}
	}
	return plus && minus
}
