package rule

import (
	"engram/detect/claim"
	"engram/detect/finding"
	"engram/detect/lexicon"
)

// restriction finds what holds only for some in one claim and for all in the
// other: "runs only if the PR has a label" and "runs on every PR".
func (p *pair) restriction(i, j int) (clash, bool) {
	x, y := &p.a.Clauses[i], &p.b.Clauses[j]
	a, b := p.a.restricts(x), p.b.restricts(y)
	s, t := p.a.extends(x), p.b.extends(y)
	switch {
	case a >= 0 && t >= 0 && s < 0 && b < 0:
		s = a
	case s >= 0 && b >= 0 && a < 0 && t < 0:
		t = b
	default:
		return clash{}, false
	}
	g := agree(p.a.clausePart(i), p.b.clausePart(j))
	switch all := p.unrestricted(a, g); {
	case g.strong < 2, g.strong < 3 && g.long(), all.strong > 2, min(g.restA.strong, g.restB.strong) > 1:
		return clash{}, false
	case g.contrasting, x.Denials+y.Denials > 0, p.scopes == elsewhere && !g.topic:
		return clash{}, false
	}
	return clash{rule: byRestriction, tier: finding.TierEntity, a: p.a.place(span{s, s + 1}), b: p.b.place(span{t, t + 1}), unsure: true}, true
}

// unrestricted is what the claim that speaks of all says beside; what the other
// says beside is its condition.
func (p *pair) unrestricted(restricted int, g agreement) rest {
	if restricted >= 0 {
		return g.restB
	}
	return g.restA
}

// restricts returns the term that makes a clause hold for some only, or -1:
// unless, except, only above, only ... if.
func (c side) restricts(x *claim.Clause) int {
	only := -1
	for i := x.From; i < x.To; i++ {
		switch c.Terms[i].Lower {
		case "unless", "except", "skipped":
			return i
		case "only":
			only = i
		case "above", "below", "for", "on", "in", "over", "under":
			if only >= 0 && i-only <= 2 {
				return only
			}
		case "if", "when":
			if only >= 0 {
				return only
			}
		}
	}
	return -1
}

// extends returns the term that makes a clause hold for all, or -1.
func (c side) extends(x *claim.Clause) int {
	for i := x.From; i < x.To; i++ {
		t := &c.Terms[i]
		switch w := t.Lower; {
		case t.Traits&lexicon.Universal != 0 && t.Role&claim.Denial == 0, w == "always", w == "unconditionally", w == "even" && i+1 < x.To && c.Terms[i+1].Lower == "when":
			return i
		}
	}
	return -1
}
