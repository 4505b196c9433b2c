package detect

// slots finds values that exclude each other in one exact slot.
func (p *pair) slots() (clash, bool) {
	for i := range p.a.Entities {
		x := &p.a.Entities[i]
		if !x.Valued() {
			continue
		}
		for j := range p.b.Entities {
			y := &p.b.Entities[j]
			if x.Type != y.Type || !Incompatible(*x, *y) {
				continue
			}
			if p.scopes == elsewhere && !p.ownSubject(*x) {
				continue
			}
			return clash{rule: bySlot, a: Place{x.Start, x.End}, b: Place{y.Start, y.End}, what: spoken(x.Name, x.Of), tier: tierOf(x)}, true
		}
	}
	return clash{}, false
}

// valuesIn finds values that exclude each other in two clauses that speak of
// one thing in different words.
func (p *pair) valuesIn(i, j int) (best clash, found bool) {
	x, y := &p.a.read.clauses[i], &p.b.read.clauses[j]
	if x.signs&y.signs&hasValue == 0 {
		return clash{}, false
	}
	for k := range p.a.read.values {
		v := &p.a.read.values[k]
		if v.clause != i || v.Old || v.Type == "" {
			continue
		}
		for l := range p.b.read.values {
			w := &p.b.read.values[l]
			if w.clause != j || w.Old || !comparable(v, w) || !together(v.conditions, w.conditions, p) {
				continue
			}
			c, ok := p.values(v, w)
			if ok && (!found || c.score() > best.score()) {
				best, found = c, true
			}
		}
	}
	return best, found
}

// values compares two values and what they are of.
func (p *pair) values(v, w *stated) (clash, bool) {
	x, y := inLimits(v, p.a), inLimits(w, p.b)
	if !exclusive(x, y) || near(x, y) || p.b.states(&v.Entity) || p.a.states(&w.Entity) {
		return clash{}, false
	}
	a, b := p.around(v, p.a), p.around(w, p.b)
	g := agree(a, b)
	g.close = p.neighbours(v, w)
	if g.restA.opposed > 0 {
		return clash{}, false
	}
	c := clash{rule: byValue, a: Place{v.Start, v.End}, b: Place{w.Start, w.End}, what: spoken(v.Name, v.Of), tier: tierOf(&x)}
	if c.what == "" || len(w.Name) > 0 && len(w.Name) < len(v.Name) {
		c.what = spoken(w.Name, w.Of)
	}
	debug(p, "value", g)
	return c, p.sameThing(g)
}

// states reports whether a claim has the same value anywhere.
func (c *Claim) states(e *Entity) bool {
	for i := range c.read.values {
		v := &c.read.values[i]
		if v.Type == e.Type && v.Unit == e.Unit && v.Value == e.Value && v.Text == e.Text && !v.Old {
			return true
		}
	}
	return false
}

// around returns what says what a value is of.
func (p *pair) around(v *stated, c *Claim) part {
	cl := &c.read.clauses[v.clause]
	s := part{claim: c, within: span{v.near, v.far}, without: span{v.from, v.to}, figures: true, sameType: v.Type}
	s.subject = span{cl.from, min(cl.verb, v.near)}
	return s
}

// neighbours reports whether a word right before or behind one value stands near
// the other too.
func (p *pair) neighbours(v, w *stated) bool {
	const reach = 3
	for i := max(v.from-reach, v.near); i < min(v.to+reach, v.far); i++ {
		t := &p.a.read.terms[i]
		if t.weight < strongWeight && t.traits&quantity == 0 {
			continue
		}
		for j := max(w.from-reach, w.near); j < min(w.to+reach, w.far); j++ {
			if p.b.read.terms[j].id == t.id {
				return true
			}
		}
	}
	return false
}

func comparable(v, w *stated) bool {
	return v.Type == w.Type && v.Type != State && (v.Unit == w.Unit || v.Unit+w.Unit == "months" || v.Unit+w.Unit == "smonth")
}

// inLimits returns a value in seconds rather than months, and as a bound where
// it is said to be a limit.
func inLimits(v *stated, c *Claim) Entity {
	e := v.Entity
	if e.Unit == "month" {
		e.Value, e.Unit = e.Value*2629800, "s"
	}
	if e.Bound == Exactly {
		for i := v.near; i < v.far; i++ {
			if t := &c.read.terms[i]; t.id == limitID {
				e.Bound = AtMost
			}
		}
	}
	return e
}

var limitID = wordID("limit")

// near reports amounts that people take for one: a month and 30 days, a
// megabyte and a mebibyte.
func near(x, y Entity) bool {
	if x.Type != Number || x.Unit != "s" && x.Unit != "B" {
		return false
	}
	low, high := min(x.Value, y.Value), max(x.Value, y.Value)
	return high < low*1.1 && high > 1024 && x.Bound == y.Bound
}

// tierOf returns the tier of values that differ in one scope.
func tierOf(e *Entity) Tier {
	if e.Type == Date || e.Type == State && e.Unit == Stage {
		return TierTemporal
	}
	return TierEntity
}
