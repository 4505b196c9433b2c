package rule

import (
	"engram/detect/claim"
	"engram/detect/lexicon"
)

// sameThing decides whether what two parts share is enough to take what they
// speak of for one. The thresholds separate the open pairs of fixtures/pairs and
// random pairs of one document (TestMeasureCompare).
//
//  0. One speaks of all there are of what the other is one of: yes.
//  1. Each has a word, a number or a name that tells it from the other: no.
//  2. In scopes apart, both must be about something of one name that means the same
//     everywhere.
//  3. Versions of one product need one more word in common; to the last digit, and
//     in one scope, none.
//  4. Both say something that the other does not: no, if that is much, or there
//     is little else.
//  5. One says more than the other: no, if that narrows it or much is missing.
func (p *pair) sameThing(g agreement) bool {
	low, high := min(g.restA.strong, g.restB.strong), max(g.restA.strong, g.restB.strong)
	switch {
	case p.covers(g):
		return g.common > claim.WeakWeight
	case g.strong == 0 && !g.pinned, g.contrasting, g.restA.figures > 0 && g.restB.figures > 0, g.restA.owning > 0 && g.restB.owning > 0:
		return false
	case p.scopes == elsewhere && !g.topic:
		return false
	case g.pinned && p.scopes == sameScope:
		return true
	case g.sameProduct && g.strong > 1 && low <= g.strong:
		return true
	case low > 2 && !(g.close && low < g.strong), low == 2 && (g.strong < 3 || !g.own), low == 1 && (g.strong < 2 || g.strong < 3 && !g.own && !g.sameProduct || high < 2 && !g.close):
		return false
	case low == 0 && high > 0 && g.strong < 2 && !g.own, low == 0 && high == 1 && g.restA.narrowing+g.restB.narrowing > 0:
		return false
	}
	return g.common > claim.StrongWeight || high == 0
}

// covers reports that one claim speaks of all things of a sort, without saying
// more, and the other of one of them: all services, the billing service.
func (p *pair) covers(g agreement) bool {
	return g.restA.strong+g.restA.figures == 0 && p.a.general(p.b) || g.restB.strong+g.restB.figures == 0 && p.b.general(p.a)
}

// everyOne reports a clause about all things of a general sort: every service.
func (c side) everyOne(x *claim.Clause) bool {
	for i := x.From; i+1 < x.To && i < x.From+3; i++ {
		if t := &c.Terms[i]; t.Traits&lexicon.Universal != 0 && t.Role&claim.Denial == 0 && c.Terms[i+1].Traits&lexicon.Weak != 0 {
			return true
		}
	}
	return false
}

// mayLead reports whether term i may be what its clause is about: it stands before
// the verb, or near the beginning where that is not known.
func (c side) mayLead(i int) bool {
	x := c.ClauseOf(i)
	return i < x.Verb || x.Verb == x.From && i < x.From+2
}

// general reports "all" or the like before a word for what the other claim is about.
func (c side) general(other side) bool {
	if c.Features&claim.HasUniversal == 0 || c.Provisional() || other.Features&claim.HasUniversal != 0 {
		return false
	}
	for i := 0; i+1 < len(c.Terms); i++ {
		if c.Terms[i].Traits&lexicon.Universal == 0 || c.nearly(i) {
			continue
		}
		if at := other.Find(c.Terms[i+1].ID); at >= 0 && other.mayLead(at) {
			return true
		}
	}
	return false
}
