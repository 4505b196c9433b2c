package rule

import (
	"engram/detect/claim"
	"engram/detect/finding"
)

// change finds what one claim says is no longer so, and the other says is so:
// "moved off 4000" and "the dev server listens on 4000".
func (p *pair) change() (clash, bool) {
	if c, ok := p.revoked(p.a, p.b); ok {
		return c, true
	}
	c, ok := p.revoked(p.b, p.a)
	c.a, c.b, c.newer = c.b, c.a, finding.SideB
	return c, ok
}

// revoked looks in old for what the claim that is now mentions as past.
func (p *pair) revoked(now, old side) (clash, bool) {
	for i := range now.Terms {
		t := &now.Terms[i]
		at := old.Find(t.ID)
		givenUp := t.Role&claim.Past != 0 && now.Identifies(i) && !now.AssertsNothingAt(t.Start) && !now.Affirms(t.ID)
		if !givenUp || at < 0 || old.AssertsNothingAt(old.Terms[at].Start) {
			continue
		}
		b := old.whole()
		b.without = span{at, at + 1}
		g := agree(now.whole(), b)
		if g.strong == 0 || g.restB.strong > min(g.strong-1, 1) || p.scopes == elsewhere && !g.topic {
			continue
		}
		c := clash{rule: byChange, tier: finding.TierEntity, a: placeAt(t.Start, t.End), b: old.placeOf(at), newer: finding.SideA}
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
	t := &c.Terms[i]
	for j := i + 1; j < len(c.Terms); j++ {
		u := &c.Terms[j]
		switch {
		case u.Role&claim.Unasserted != 0 || u.ID == t.ID:
		case t.ValueIndex == 0 && t.Role&u.Role&claim.Numeric != 0:
			return j
		case t.ValueIndex > 0 && u.ValueIndex > 0 && u.ValueIndex != t.ValueIndex:
			if c.Values[t.ValueIndex-1].Type == c.Values[u.ValueIndex-1].Type {
				return j
			}
		case t.ValueIndex == 0 && u.ValueIndex == 0 && (t.Kinds&u.Kinds != 0 || t.Kinds == 0 && u.Kinds == 0 && t.Role&u.Role&claim.Named != 0):
			return j
		}
	}
	return -1
}
