package rule

import (
	"engram/detect/claim"
	"engram/detect/entity"
	"engram/detect/finding"
)

// polarity finds what one claim says and the other denies.
//
// Whether a clause says something or denies it is the parity of what it has of
// denials (not, never, without) and of opposites of words in the other (enabled
// and disabled). What directly follows a denial must be what the other asserts, and
// of the same subject (denials.go, subjects.go); the longer the clauses, the more
// they must share.
func (p *pair) polarity(i, j int) (clash, bool) {
	x, y := &p.a.Clauses[i], &p.b.Clauses[j]
	switch either := x.Features | y.Features; {
	case either&(claim.HasDenial|claim.HasOpposed) == 0, either&claim.HasOrder != 0, x.Denials > 1, y.Denials > 1:
		return clash{}, false
	case x.Provisional, y.Provisional, !p.canHoldTogether(x.Conditions, y.Conditions):
		return clash{}, false
	}
	g := agree(p.a.clausePart(i), p.b.clausePart(j))
	if c, ok := p.oppositeStates(x, y, g); ok {
		return c, true
	}
	switch {
	case (x.Denials+y.Denials+g.restA.opposed)%2 == 0, p.narrower(x, y, g), !p.sameThing(g), p.oneEnded(x, y), !p.covers(g) && p.cases(x.From, y.From):
		return clash{}, false
	case g.restA.opposed > 0:
		return p.opposites(x, y, g)
	case p.rolesSwapped(x, y), !p.covers(g) && !p.sameSubject(x, y), p.a.optional(x) && !p.b.forbids(y), p.b.optional(y) && !p.a.forbids(x):
		return clash{}, false
	case !p.a.deniesOf(x, p.b, y) && !p.b.deniesOf(y, p.a, x):
		return clash{}, false
	}
	c := clash{rule: byPolarity, tier: finding.TierEntity, a: p.a.predicate(x), b: p.b.predicate(y), denied: true}
	c.what = p.a.quote(c.a)
	if x.Denials > 0 {
		c.what = p.b.quote(c.b)
	}
	return c, true
}

// predicate is where a clause says something of its subject; all of it where its
// verb is not known.
func (c side) predicate(x *claim.Clause) finding.Place {
	from := x.Verb
	for i := x.Verb; i >= x.From; i-- {
		if c.Terms[i].Role&claim.Denial != 0 {
			from = i
		}
	}
	return c.place(span{from, x.To})
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
func (p *pair) narrower(x, y *claim.Clause, g agreement) bool {
	low, rest := min(g.restA.strong, g.restB.strong), g.restA.strong+g.restB.strong
	states := g.restA.opposed > g.restA.directions && x.Denials+y.Denials == 0 && g.strong > 1 && low < 2
	switch {
	case p.covers(g):
		return false
	case g.long(), g.restA.literals+g.restB.literals > 0:
		return true
	case x.Denials > 0 && g.restA.special() > 0, y.Denials > 0 && g.restB.special() > 0, p.a.bounded(x, g.restA), p.b.bounded(y, g.restB):
		return true
	case low > 0 && !states, rest > 2 && !states && (g.strong < 3 || x.Denials+y.Denials == 0):
		return true
	case rest > 0 && (g.strong < 2 || g.restA.directions > 0), g.restA.contrasts+g.restB.contrasts > 0 && (x.Features|y.Features)&claim.HasUniversal == 0 && !p.a.says(x, "never") && !p.b.says(y, "never"):
		return true
	}
	return g.common < 2*claim.StrongWeight
}

// opposites finds two words in the clauses that are opposites; a claim that has
// both ends does not say which holds.
func (p *pair) opposites(x, y *claim.Clause, g agreement) (clash, bool) {
	for i := x.From; i < x.To; i++ {
		t := &p.a.Terms[i]
		for j := y.From; j < y.To; j++ {
			u := &p.b.Terms[j]
			if t.Opposite(u) && !(p.a.tellsApart(i) && p.b.tellsApart(j)) && !p.a.HasBothPoles(t.ID) && !p.b.HasBothPoles(t.ID) {
				return clash{rule: byPolarity, tier: finding.TierEntity, a: placeAt(t.Start, t.End), b: placeAt(u.Start, u.End), unsure: g.unsure()}, true
			}
		}
	}
	return clash{}, false
}

// bounded reports whether a clause denies something of what lies below or above
// a value.
func (c side) bounded(x *claim.Clause, r rest) bool {
	if x.Denials+r.opposed == 0 {
		return false
	}
	for i := x.From; i < x.To; i++ {
		switch t := &c.Terms[i]; {
		case t.ValueIndex > 0 && c.Values[t.ValueIndex-1].Bound != entity.Exactly:
			return true
		case i > x.From && (t.ValueIndex > 0 || t.Role&claim.Numeric != 0):
			switch c.Terms[i-1].Lower {
			case "below", "above", "under", "over", "than":
				return true
			}
		}
	}
	return false
}
