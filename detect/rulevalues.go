package detect

import "strings"

// slots finds values that exclude each other in one exact slot.
func (p *pair) slots() (clash, bool) {
	for i := range p.a.Entities {
		x := &p.a.Entities[i]
		if !x.Valued() {
			continue
		}
		for j := range p.b.Entities {
			y := &p.b.Entities[j]
			if x.Type != y.Type || !Incompatible(*x, *y) || generation(*x) || alike(*x, *y) || p.apart(x, y) || p.scopes == elsewhere && !p.ownSubject() {
				continue
			}
			return clash{rule: bySlot, a: Place{x.Start, x.End}, b: Place{y.Start, y.End}, what: spoken(x.Name, x.Of), tier: tierOf(x)}, true
		}
	}
	return clash{}, false
}

// apart reports that each claim has something of its own that tells what it
// speaks of from the other, though the slots are named alike: "404 for unknown
// users" and "403 for blocked users".
func (p *pair) apart(x, y *Entity) bool {
	g := agree(p.a.beyond(x), p.b.beyond(y))
	a, b := &g.restA, &g.restB
	return a.narrowing+a.qualified > 0 && b.narrowing+b.qualified > 0 || a.contrasts > 0 && b.contrasts > 0 || a.figures > 0 && b.figures > 0
}

// beyond is what a claim says beside a value.
func (c *Claim) beyond(e *Entity) part {
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
	if v.Type == Release && v.Name != w.Name && !(p.b.speaksOf(v.Name) && p.a.speaksOf(w.Name)) {
		return clash{}, false
	}
	if v.Type == State && (p.a.read.clauses[v.clause].open || p.b.read.clauses[w.clause].open) {
		return clash{}, false // what can be enabled need not be
	}
	g := agree(p.a.around(v), p.b.around(w))
	g.close = p.neighbours(v, w)
	g.sameProduct = v.Type == Release && v.Name == w.Name && v.Name != ""
	g.own = g.own || g.sameProduct && p.scopes != elsewhere
	c := clash{rule: byValue, a: Place{v.Start, v.End}, b: Place{w.Start, w.End}, tier: tierOf(&x), unsure: g.unsure()}
	c.what = spoken(shorter(v.Entity, w.Entity))
	return c, g.restA.opposed == 0 && p.sameThing(g)
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
func (c *Claim) speaksOf(name string) bool {
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
func (c *Claim) states(e *Entity) bool {
	for i := range c.read.values {
		v := &c.read.values[i]
		if v.Type == e.Type && v.Unit == e.Unit && v.Value == e.Value && v.Text == e.Text && !v.Old {
			return true
		}
	}
	return false
}

// around returns what says what a value is of: the whole claim, or the words
// near it and the subject where there are several such values.
func (c *Claim) around(v *stated) part {
	s := c.beyond(&v.Entity)
	s.without, s.bounds = span{v.from, v.to}, true
	if c.read.only(v) {
		return s
	}
	x := &c.read.clauses[v.clause]
	s.within, s.subject = span{v.near, v.far}, span{x.from, min(x.verb, v.near)}
	if s.subject.from >= s.subject.to {
		s.subject = c.subject(v.clause)
	}
	return s
}

// neighbours reports whether a word right before or behind one value stands near
// the other too.
func (p *pair) neighbours(v, w *stated) bool {
	for _, i := range p.a.beside(v) {
		if i < 0 {
			continue
		}
		for _, j := range p.b.beside(w) {
			if j >= 0 && p.a.read.terms[i].id == p.b.read.terms[j].id {
				return true
			}
		}
	}
	return false
}

// beside returns up to three terms that say something on each side of a value;
// -1 where there are fewer.
func (c *Claim) beside(v *stated) (terms [6]int) {
	n := 0
	for i := v.from - 1; i >= v.near && n < 3; i-- {
		if t := &c.read.terms[i]; t.role&glue == 0 {
			terms[n] = i
			n++
		}
	}
	left := n
	for i := v.to; i < v.far && n < left+3; i++ {
		if t := &c.read.terms[i]; t.role&glue == 0 {
			terms[n] = i
			n++
		}
	}
	for ; n < len(terms); n++ {
		terms[n] = -1
	}
	return terms
}

// only reports whether a claim has no other value of this type.
func (r *reading) only(v *stated) bool {
	for i := range r.values {
		if w := &r.values[i]; w.Type == v.Type && w.Unit == v.Unit && w.Start != v.Start && !w.Old && !generation(w.Entity) {
			return false
		}
	}
	return true
}
