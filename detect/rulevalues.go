package detect

import "strings"

// slots finds values that exclude each other in one exact slot.
func (p *pair) slots() (clash, bool) {
	for i := range p.a.Entities {
		x := &p.a.Entities[i]
		if !x.Valued() || p.a.read.idleAt(x.Start) {
			continue
		}
		for j := range p.b.Entities {
			y := &p.b.Entities[j]
			if !p.together(p.a.givenAt(x.Start), p.b.givenAt(y.Start)) {
				continue
			}
			if p.slotsApart(x, y) {
				continue
			}
			if x.Type == Release && p.livesApart(x, y) {
				continue
			}
			if x.Type != y.Type || !Incompatible(*x, *y) || generation(*x) || alike(*x, *y) || p.b.read.idleAt(y.Start) || p.apart(x, y) || p.a.restated(x, y) || p.b.restated(y, x) || p.scopes == elsewhere && !p.ownSubject() {
				continue
			}
			return clash{rule: bySlot, a: placeAt(x.Start, x.End), b: placeAt(y.Start, y.End), what: spoken(x.Name, x.Of), tier: tierOf(x)}, true
		}
	}
	return clash{}, false
}

// slotsApart reports that two values of slots of one name are said of different things:
// of a case, a kind or a time of its own (cases.go), or of what a bound selects.
func (p *pair) slotsApart(x, y *Entity) bool {
	i, j := p.a.read.at(x.Start), p.b.read.at(y.Start)
	if i >= len(p.a.read.terms) || j >= len(p.b.read.terms) || x.Type == State && x.Unit == Presence {
		return false
	}
	s, t := p.a.read.clauseOf(i), p.b.read.clauseOf(j)
	switch {
	case p.ended(s, t), p.cases(i, j), p.a.modified(s, p.b), p.b.modified(t, p.a):
		return true
	}
	return p.a.selects(x, s) && p.b.selects(y, t) && !p.a.happensAlike(s, p.b)
}

// apart reports that each claim has something of its own that tells what it
// speaks of from the other, though the slots are named alike: "404 for unknown
// users" and "403 for blocked users".
func (p *pair) apart(x, y *Entity) bool {
	g := agree(p.a.beyond(x), p.b.beyond(y))
	a, b := &g.restA, &g.restB
	switch {
	case a.narrowing+a.qualified > 0 && b.narrowing+b.qualified > 0, g.contrasting, a.opposed > 0:
		return true
	case a.figures > 0 && b.figures > 0, a.owning > 0 && b.owning > 0:
		return true
	}
	return x.Type == Date && !g.sameEvent(x.Start+y.Start == 0)
}

// beyond is what a claim says beside a value.
func (c side) beyond(e *Entity) part {
	s := c.whole()
	s.without = span{c.read.at(e.Start), c.read.at(e.End)}
	s.figures, s.sameType = true, e.Type
	return s
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
			if w.clause != j || w.Old || !comparable(v, w) || !p.together(v.conditions, w.conditions) {
				continue
			}
			c, ok := p.values(v, w)
			if ok && (!found || c.rule.score() > best.rule.score()) {
				best, found = c, true
			}
		}
	}
	return best, found
}

// values compares two values and what they are of.
func (p *pair) values(v, w *stated) (clash, bool) {
	x, y := inLimits(v, p.a), inLimits(w, p.b)
	if !(exclusive(x, y) || below(x, y) || below(y, x)) || alike(x, y) || p.b.states(&v.Entity) || p.a.states(&w.Entity) {
		return clash{}, false
	}
	if v.Type == Release && (p.a.passing(v) || p.b.passing(w)) {
		return clash{}, false
	}
	if v.Type == Release && v.Name != w.Name && !(p.b.speaksOf(v.Name) && p.a.speaksOf(w.Name)) {
		return clash{}, false
	}
	if v.Type == State && (p.a.read.clauses[v.clause].denials+p.b.read.clauses[w.clause].denials)%2 == 1 {
		return clash{}, false // what is not allowed is no value
	}
	if v.Type == State && (p.a.read.clauses[v.clause].open || p.b.read.clauses[w.clause].open) {
		return clash{}, false // what can be enabled need not be
	}
	g := agree(p.a.around(v), p.b.around(w))
	g.close = p.neighbours(v, w)
	g.sameProduct = v.Type == Release && product(v) == product(w) && v.Name != ""
	g.pinned = g.sameProduct && v.exact() && w.exact()
	g.own = g.own || g.sameProduct && p.scopes != elsewhere
	c := clash{rule: byValue, a: placeAt(v.Start, v.End), b: placeAt(w.Start, w.End), tier: tierOf(&x), unsure: g.unsure()}
	c.what = spoken(shorter(v.Entity, w.Entity))
	return c, g.restA.opposed == 0 && (p.sameThing(g) && p.sameQuantity(v, w) || p.nounOnce(v, w)) && (v.Type != Date || g.sameEvent(v.from == 0 && w.from == 0))
}

// shorter returns the names of the value that is named with fewer words.
func shorter(v, w Entity) (name, of string) {
	if v.Name == "" || w.Name != "" && len(w.Name) < len(v.Name) {
		return w.Name, w.Of
	}
	return v.Name, v.Of
}

// speaksOf reports whether the claim has the head of a name: its last word that
// is no verb.
func (c side) speaksOf(name string) bool {
	for name != "" {
		at := strings.LastIndexByte(name, '_')
		head := lower(name[at+1:])
		if classify(head)&(sets|change|have|be) == 0 {
			head = head[strings.LastIndexByte(head, '-')+1:]
			return c.read.find(lookUp(head).id) >= 0
		}
		name = name[:max(at, 0)]
	}
	return true
}

// states reports whether a claim has the same value anywhere.
func (c side) states(e *Entity) bool {
	for i := range c.read.values {
		v := &c.read.values[i]
		if v.Type == e.Type && v.Unit == e.Unit && v.Value == e.Value && v.Text == e.Text && !v.Old && !c.read.clauses[v.clause].dismisses {
			return true
		}
	}
	return false
}
