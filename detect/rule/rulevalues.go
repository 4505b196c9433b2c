package rule

import (
	"engram/detect/claim"
	"engram/detect/entity"
)

// slots finds values that exclude each other in one exact slot.
func (p *pair) slots() (clash, bool) {
	for i := range p.a.Entities {
		x := &p.a.Entities[i]
		if !x.Valued() || p.a.AssertsNothingAt(x.Start) {
			continue
		}
		for j := range p.b.Entities {
			y := &p.b.Entities[j]
			if !p.slotClash(x, y) {
				continue
			}
			return clash{rule: bySlot, a: placeAt(x.Start, x.End), b: placeAt(y.Start, y.End), what: entity.Spoken(x.Name, x.Of), tier: tierOf(x)}, true
		}
	}
	return clash{}, false
}

// slotClash reports two values of one slot that exclude each other.
func (p *pair) slotClash(x, y *entity.Entity) bool {
	switch {
	case x.Type != y.Type, !entity.Incompatible(*x, *y), generation(*x), alike(*x, *y), p.b.AssertsNothingAt(y.Start):
		return false
	case !p.canHoldTogether(p.a.GivenAt(x.Start), p.b.GivenAt(y.Start)), p.slotsApart(x, y), x.Type == entity.Release && p.livesApart(x, y):
		return false
	case p.toldApart(x, y), p.a.restated(x, y), p.b.restated(y, x):
		return false
	}
	return p.scopes != elsewhere || p.ownSubject()
}

// slotsApart reports that two values of slots of one name are said of different things:
// of a case, a kind or a time of its own (cases.go), or of what a bound selects.
func (p *pair) slotsApart(x, y *entity.Entity) bool {
	i, j := p.a.At(x.Start), p.b.At(y.Start)
	if i >= len(p.a.Terms) || j >= len(p.b.Terms) || x.Type == entity.State && x.Unit == entity.Presence {
		return false
	}
	s, t := p.a.ClauseOf(i), p.b.ClauseOf(j)
	switch {
	case p.oneEnded(s, t), p.cases(i, j), p.a.modified(s, p.b), p.b.modified(t, p.a):
		return true
	}
	return p.a.selects(x, s) && p.b.selects(y, t) && !p.a.happensAlike(s, p.b)
}

// toldApart reports that each claim has something of its own that tells what it
// speaks of from the other, though the slots are named alike: "404 for unknown
// users" and "403 for blocked users".
func (p *pair) toldApart(x, y *entity.Entity) bool {
	g := agree(p.a.beyond(x), p.b.beyond(y))
	a, b := &g.restA, &g.restB
	switch {
	case a.narrowing+a.qualified > 0 && b.narrowing+b.qualified > 0, g.contrasting, a.opposed > 0:
		return true
	case a.figures > 0 && b.figures > 0, a.owning > 0 && b.owning > 0:
		return true
	}
	return x.Type == entity.Date && !g.sameEvent(x.Start+y.Start == 0)
}

// valuesIn finds values that exclude each other in two clauses that speak of
// one thing in different words.
func (p *pair) valuesIn(i, j int) (best clash, found bool) {
	x, y := &p.a.Clauses[i], &p.b.Clauses[j]
	if x.Features&y.Features&claim.HasValue == 0 {
		return clash{}, false
	}
	for k := range p.a.Values {
		v := &p.a.Values[k]
		if v.Clause != i || v.Old || v.Type == "" {
			continue
		}
		for l := range p.b.Values {
			w := &p.b.Values[l]
			if w.Clause != j || w.Old || !comparable(v, w) || !p.canHoldTogether(v.Conditions, w.Conditions) {
				continue
			}
			c, ok := p.valuesDiffer(v, w)
			if ok && (!found || c.rule.score() > best.rule.score()) {
				best, found = c, true
			}
		}
	}
	return best, found
}

// valuesDiffer compares two values and what they are of.
func (p *pair) valuesDiffer(v, w *claim.Value) (clash, bool) {
	x, y := inLimits(v, p.a), inLimits(w, p.b)
	exclusive := entity.Exclusive(x, y) || below(x, y) || below(y, x)
	if !exclusive || alike(x, y) || p.b.states(&v.Entity) || p.a.states(&w.Entity) || !p.comparableTypes(v, w) {
		return clash{}, false
	}
	g := agree(p.a.around(v), p.b.around(w))
	g.close = p.neighbours(v, w)
	g.sameProduct = v.Type == entity.Release && product(v) == product(w) && v.Name != ""
	g.pinned = g.sameProduct && v.Exact() && w.Exact()
	g.own = g.own || g.sameProduct && p.scopes != elsewhere
	c := clash{rule: byValue, a: placeAt(v.Start, v.End), b: placeAt(w.Start, w.End), tier: tierOf(&x), unsure: g.unsure()}
	c.what = entity.Spoken(shorter(v.Entity, w.Entity))
	return c, g.restA.opposed == 0 && (p.sameThing(g) && p.sameQuantity(v, w) || p.nounOnce(v, w)) && (v.Type != entity.Date || g.sameEvent(v.From == 0 && w.From == 0))
}

// comparableTypes reports that two releases, or two states, are of one thing as far as
// their type tells.
func (p *pair) comparableTypes(v, w *claim.Value) bool {
	x, y := &p.a.Clauses[v.Clause], &p.b.Clauses[w.Clause]
	switch v.Type {
	case entity.Release:
		oneProduct := v.Name == w.Name || p.b.speaksOf(v.Name) && p.a.speaksOf(w.Name)
		return oneProduct && !p.a.passing(v) && !p.b.passing(w)
	case entity.State: // something that is not allowed is no value; something that can be enabled need not be
		return (x.Denials+y.Denials)%2 == 0 && !x.OpenEnded && !y.OpenEnded
	}
	return true
}

// shorter returns the names of the value that is named with fewer words.
func shorter(v, w entity.Entity) (name, of string) {
	if v.Name == "" || w.Name != "" && len(w.Name) < len(v.Name) {
		return w.Name, w.Of
	}
	return v.Name, v.Of
}

// states reports whether a claim has the same value anywhere.
func (c side) states(e *entity.Entity) bool {
	for i := range c.Values {
		v := &c.Values[i]
		if v.Type == e.Type && v.Unit == e.Unit && v.Value == e.Value && v.Text == e.Text && !v.Old && !c.Clauses[v.Clause].Dismisses {
			return true
		}
	}
	return false
}
