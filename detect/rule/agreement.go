package rule

import (
	"slices"

	"engram/detect/claim"
	"engram/detect/lexicon"
)

// agreement is how far two parts speak of one thing.
type agreement struct {
	common      int  // the weight of what both say
	strong      int  // how many terms of it say much
	own         bool // a name that says which one is meant in any scope
	topic       bool // such a name is what both are about
	inScope     bool // what one is about is the scope of the other
	sameProduct bool // the values are versions of one product
	pinned      bool // and such as only one of can be in use in a place
	close       bool // what stands right around the values is shared
	viaScope    int  // the weight of what one says and the scope of the other has
	restA       rest
	restB       rest
	contrasting bool // each has a word that tells it from the other
}

// agree compares two parts.
func agree(a, b part) agreement {
	var g agreement
	g.restA = a.against(b, &g)
	var mirror agreement
	g.restB = b.against(a, &mirror)
	g.common = min(g.common, mirror.common) + g.viaScope + mirror.viaScope
	g.strong = min(g.strong, mirror.strong) + (g.viaScope+mirror.viaScope)/claim.StrongWeight
	g.own = g.own || g.viaScope+mirror.viaScope > 0
	g.topic = g.topic || g.inScope || mirror.inScope
	g.contrasting = g.restA.contrasts > 0 && g.restB.contrasts > 0 || g.restA.measures > 0 && g.restB.measures > 0 || g.restA.shareHead(&g.restB)
	return g
}

// unsure reports that each part says something that the other does not, and that
// it is no small part of what both say.
func (g agreement) unsure() bool { return 3*min(g.restA.strong, g.restB.strong) > g.strong }

// long reports that the parts say more beside what they share than half of that:
// the more is said, the more has to be shared.
func (g *agreement) long() bool { return 2*(g.restA.strong+g.restB.strong) > g.strong+1 }

// against adds what a shares with b and returns what it has beside.
func (a part) against(b part, g *agreement) (r rest) {
	terms := a.claim.Terms
	for i := a.subject.from; i < a.within.to; i++ {
		if i == a.subject.to {
			i = max(i, a.within.from)
		}
		t := &terms[i]
		if t.Role&(claim.Unasserted|claim.StopWord|claim.Denial) != 0 || a.without.has(i) || !a.counts(t) {
			continue
		}
		switch at := b.claim.Find(t.ID); {
		case at >= 0 && (b.within.has(at) || b.subject.has(at)):
			g.share(t, &b.claim.Terms[at], &r)
			g.inScope = g.inScope || t.Role&claim.Unique != 0 && (slices.Contains(b.claim.ScopeParts, t.ID) || slices.Contains(a.claim.ScopeParts, t.ID))
		case at >= 0: // said elsewhere in the claim: it tells neither from the other
			// it tells neither from the other
		case slices.Contains(b.claim.ScopeWords, t.ID):
			if t.ComparedWeight() >= claim.StrongWeight {
				g.viaScope = claim.StrongWeight
				g.inScope = g.inScope || slices.Contains(b.claim.ScopeParts, t.ID)
			}
		case a.subject.has(i):
			r.addSubject(t)
		default:
			r.add(t, a.narrows(i), a.head(i))
		}
	}
	return r
}

func (g *agreement) share(t, other *claim.Term, r *rest) {
	if (t.Pole < 0) != (other.Pole < 0) {
		r.opposed++
		if t.Traits&lexicon.Direction != 0 {
			r.directions++
		}
		return
	}
	g.common += t.ComparedWeight()
	if t.ComparedWeight() >= claim.StrongWeight {
		g.strong++
	}
	g.own = g.own || t.Role&claim.Unique != 0
	g.topic = g.topic || t.Role&other.Role&claim.Topic != 0 && t.Role&claim.Unique != 0
}

// counts reports whether a term is to be compared: numbers only if they may
// tell two things apart.
func (a part) counts(t *claim.Term) bool {
	if a.bounds && t.ID == lexicon.LimitID {
		return false
	}
	if t.ValueIndex > 0 {
		v := &a.claim.Values[t.ValueIndex-1]
		return a.figures && (v.Type != a.sameType || generation(v.Entity))
	}
	return t.Role&claim.Numeric == 0 || a.figures
}

// word returns the text of a term.
func (c side) word(t *claim.Term) string { return c.Text[t.Start:t.End] }
