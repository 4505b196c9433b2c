package rule

import (
	"engram/detect/claim"
	"engram/detect/entity"
	"engram/detect/finding"
	"engram/detect/lexicon"
)

// deniedName finds a named thing that one claim says is not there or not used, and
// that the other speaks of as if it was: "no service uses DynamoDB" and "keeps
// its labels in a DynamoDB table".
func (p *pair) deniedName() (clash, bool) {
	if c, ok := p.missing(p.a, p.b); ok {
		return c, true
	}
	c, ok := p.missing(p.b, p.a)
	c.a, c.b = c.b, c.a
	return c, ok
}

// missing looks for what the claim no denies and the claim yes has.
func (p *pair) missing(no, yes side) (clash, bool) {
	for i := range no.Clauses {
		x := &no.Clauses[i]
		if !x.Dismisses || x.Denials > 1 || !unconditional(x) {
			continue
		}
		at := no.denied(x, yes)
		if at < 0 {
			continue
		}
		found := yes.Find(no.Terms[at].ID)
		y := yes.ClauseOf(found)
		if y.Denials > 0 || !unconditional(y) || y.Features&claim.HasOpposed != 0 || !yes.hasIt(found, y) {
			continue
		}
		a, b := no.clausePart(i), yes.whole()
		a.without, b.without, b.figures = span{at, at + 1}, span{found, found + 1}, true
		g := agree(a, b)
		flat := p.scopes == sameScope && g.common == 0 && no.unused(at, x)
		if flat || p.coversAll(x, g) || yes.everyOne(y) {
			t, u := &no.Terms[at], &yes.Terms[found]
			return clash{rule: byDenial, tier: finding.TierEntity, a: placeAt(t.Start, t.End), b: placeAt(u.Start, u.End), what: no.word(t), unsure: !flat}, true
		}
	}
	return clash{}, false
}

// unconditional reports a clause that asserts something without a condition.
func unconditional(x *claim.Clause) bool {
	return !x.Provisional && !x.AssertsNothing && len(x.Conditions) == 0
}

// unused reports a clause that says no more than that term at is not used: of what
// it holds, everything else must hold too.
func (c side) unused(at int, x *claim.Clause) bool {
	for i := x.From; i < x.To; i++ {
		if t := &c.Terms[i]; i != at && t.Role&(claim.StopWord|claim.Denial) == 0 && !inUse(t.Lower) && !light(t.Lower) && t.Lower != "we" {
			return false
		}
	}
	return true
}

// coversAll reports whether a denial leaves no room for what the other claim
// says: it has nothing that the other has not, and either both share more than
// the name, or it speaks of all there are.
func (p *pair) coversAll(x *claim.Clause, g agreement) bool {
	general := x.Features&claim.HasUniversal != 0
	switch {
	case g.contrasting, g.restA.strong > 0, g.restA.qualified > 0, g.restA.figures > 0:
		return false
	case p.scopes == elsewhere:
		return g.topic || general
	}
	return g.strong > 1 || general
}

// denied returns the named term that a clause says is not there, not used or not
// supported, and that the other claim has; or -1: right behind the denial, or behind
// "does not use", or before "is not used".
func (c side) denied(x *claim.Clause, other side) int {
	for i := x.From; i < x.To; i++ {
		if t := &c.Terms[i]; t.Role&claim.Denial == 0 && t.Traits&lexicon.Dismissing == 0 {
			continue
		}
		for j := i + 1; j < x.To && j <= i+4; j++ {
			if c.isSharedName(j, other) {
				return j
			}
			if t := &c.Terms[j]; t.Role&claim.StopWord == 0 && !inUse(t.Lower) && t.Traits&lexicon.Universal == 0 && !light(t.Lower) {
				break
			}
		}
		if c.Terms[i].Traits&lexicon.Dismissing != 0 {
			for j := i - 1; j >= x.From && j >= i-5; j-- {
				if c.port(j) && other.Find(c.Terms[j].ID) >= 0 {
					return j
				}
			}
		}
		if i+1 < x.To && inUse(c.Terms[i+1].Lower) {
			for j := i - 1; j >= x.From && j >= i-2; j-- {
				if c.isSharedName(j, other) {
					return j
				}
			}
		}
	}
	return -1
}

// port reports whether term i is a port.
func (c side) port(i int) bool {
	v := c.Terms[i].ValueIndex
	return v > 0 && c.Values[v-1].Type == entity.Port
}

// inUse reports the verbs and adjectives that say that something is there or used.
func inUse(w string) bool {
	switch w {
	case "use", "uses", "used", "using", "support", "supports", "supported", "contain", "contains", "present", "available", "takes", "take",
		"there", "needed", "depends", "depend", "involved", "allowed", "installed", "service", "endpoint", "app", "job":
		return true
	}
	return false
}

// hasIt reports whether the claim says of the term found that it is there or used:
// a word for that stands shortly before it, or it is a port, or all are said to do
// something with it.
func (c side) hasIt(found int, y *claim.Clause) bool {
	if c.port(found) || c.everyOne(y) {
		return true
	}
	if found+2 < y.To && lexicon.Classify(c.Terms[found+1].Lower)&lexicon.Copula != 0 && inUse(c.Terms[found+2].Lower) {
		return true
	}
	for i := found - 1; i >= y.From && i >= found-6; i-- {
		t := &c.Terms[i]
		w := t.Lower
		if t.Traits&lexicon.Relation != 0 || inUse(w) || lexicon.Classify(w)&lexicon.Have != 0 || w == "via" || w == "through" {
			return true
		}
	}
	return false
}

// isSharedName reports whether term i is a name or one of a kind that the other claim
// has too.
func (c side) isSharedName(i int, other side) bool {
	t := &c.Terms[i]
	at := other.Find(t.ID)
	switch {
	case at < 0, t.Weight == 0, light(t.Lower):
		return false
	case (t.Role|other.Terms[at].Role)&claim.Literal != 0 && t.End-t.Start > 2:
		return true
	}
	return t.Role&claim.Unique != 0 || t.Kinds != 0
}
