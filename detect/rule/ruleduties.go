package rule

import (
	"engram/detect/claim"
	"engram/detect/finding"
	"engram/detect/lexicon"
)

// duties finds what one claim demands and the other forbids: "every migration must
// have a down script" and "down scripts are not allowed". Both say so in plain
// words, so that less needs to be shared than for a denial of what merely is.
func (p *pair) duties(i, j int) (clash, bool) {
	x, y := &p.a.Clauses[i], &p.b.Clauses[j]
	a, b := p.a.dutyOf(x), p.b.dutyOf(y)
	if a.demands == 0 {
		a = p.a.instruction(x, b, p.b)
	} else if b.demands == 0 {
		b = p.b.instruction(y, a, p.a)
	}
	if a.demands*b.demands >= 0 || x.Provisional || y.Provisional || !p.canHoldTogether(x.Conditions, y.Conditions) {
		return clash{}, false
	}
	g := agree(p.a.clausePart(i), p.b.clausePart(j))
	bans, same := g.restA, p.a.bans(x, a, p.b, y)
	if b.demands < 0 {
		bans, same = g.restB, p.b.bans(y, b, p.a, x)
	}
	switch {
	case !same, p.rolesSwapped(x, y), g.strong < 2, g.contrasting, bans.special() > 2, bans.special() > 0 && g.strong < 3, g.restA.figures+g.restB.figures > 0, g.restA.opposed > 0:
		return clash{}, false
	case p.scopes == elsewhere && !g.topic:
		return clash{}, false
	}
	return clash{rule: byDuty, tier: finding.TierEntity, a: p.a.place(a.words), b: p.b.place(b.words), unsure: g.unsure()}, true
}

// bans reports whether what clause x forbids stands in clause y: what follows
// "never", or what stands before "is forbidden".
func (c side) bans(x *claim.Clause, d duty, other side, y *claim.Clause) bool {
	if c.Terms[d.words.to-1].ID != lexicon.AllowID {
		return c.deniesOf(x, other, y)
	}
	for i := d.words.from; i >= x.From; i-- {
		if t := &c.Terms[i]; t.Weight >= claim.StrongWeight {
			return other.FindIn(t.ID, y.From, y.To) >= 0
		}
	}
	return false
}

// duty is what a clause demands, +1, or forbids, -1, and the words that say so.
type duty struct {
	demands int
	words   span
}

// dutyOf reads a demand: must, has to, is required; or a ban: must not, never, is
// not allowed, is forbidden.
func (c side) dutyOf(x *claim.Clause) (d duty) {
	for i := x.From; i < x.To; i++ {
		t := &c.Terms[i]
		switch w := t.Lower; {
		case t.Role&claim.Unasserted != 0:
		case t.ID == lexicon.AllowID && t.Pole != 0:
			if (t.Pole < 0) != (x.Denials%2 == 1) && !x.Exclusive {
				return duty{-1, span{max(i-1, x.From), i + 1}}
			}
			return duty{}
		case c.bansAt(i, x):
			return duty{-1, span{i, min(i+3, x.To)}}
		case w == "never" || w == "mustn't":
			return duty{-1, span{i, min(i+2, x.To)}}
		case w == "must" || w == "shall":
			d = duty{1, span{i, min(i+2, x.To)}}
			if c.Terms[d.words.to-1].Role&claim.Denial != 0 {
				d.demands = -1
			}
		case (w == "ought" || t.ID == lexicon.RequireID && t.Pole > 0 || c.hasTo(i, x)) && x.Denials == 0:
			d = duty{1, span{i, min(i+2, x.To)}} // what is not required may still be done
		}
	}
	if d.demands < 0 && x.Denials > 1 {
		return duty{} // must not run without
	}
	return d
}

// hasTo reports "has to" at term i.
func (c side) hasTo(i int, x *claim.Clause) bool {
	w := c.Terms[i].Lower
	return (w == "has" || w == "have") && i+1 < x.To && c.Terms[i+1].Lower == "to"
}

// instruction reads a clause that tells to do what a ban of the other claim forbids:
// it begins with the verb that stands right behind "never" there, and goes on with
// its object: "log PII at debug level" and "never log PII".
func (c side) instruction(x *claim.Clause, ban duty, other side) (d duty) {
	if ban.demands >= 0 || x.Denials > 0 || x.From+1 >= x.To {
		return duty{}
	}
	forbidden := other.Terms[ban.words.from:]
	for len(forbidden) > 0 && (forbidden[0].Role&claim.Denial != 0 || forbidden[0].Lower == "do") {
		forbidden = forbidden[1:]
	}
	verb, object := &c.Terms[x.From], x.From+1
	for object+1 < x.To && c.Terms[object].Role&claim.StopWord != 0 {
		object++
	}
	if len(forbidden) == 0 || forbidden[0].ID != verb.ID || verb.Weight == 0 {
		return duty{}
	}
	for i := range forbidden[1:] {
		if t := &forbidden[1+i]; t.Role&claim.StopWord == 0 {
			if t.ID == c.Terms[object].ID {
				d = duty{1, span{x.From, object + 1}}
			}
			break
		}
	}
	return d
}

// bansAt reports an imperative that forbids, at the beginning of a clause: never,
// do not.
func (c side) bansAt(i int, x *claim.Clause) bool {
	t := &c.Terms[i]
	return i == x.From && t.Lower == "do" && i+1 < x.To && c.Terms[i+1].Role&claim.Denial != 0
}
