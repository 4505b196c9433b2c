package detect

import "slices"

// span is a range of terms.
type span struct{ from, to int }

func (s span) has(i int) bool { return i >= s.from && i < s.to }

// part is what a rule compares of a claim: a clause, or the stretch around a
// value, without the terms that the rule is about.
type part struct {
	claim    side
	within   span
	subject  span // what stands before the verb, where within does not have it
	without  span
	figures  bool // other numbers count too: they tell things apart
	sameType Type // numbers of this type do not
	bounds   bool // words such as limit only say how the value is meant
}

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
	g.strong = min(g.strong, mirror.strong) + (g.viaScope+mirror.viaScope)/strongWeight
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
	terms := a.claim.read.terms
	for i := a.subject.from; i < a.within.to; i++ {
		if i == a.subject.to {
			i = max(i, a.within.from)
		}
		t := &terms[i]
		if t.role&(shadow|glue|denial) != 0 || a.without.has(i) || !a.counts(t) {
			continue
		}
		switch at := b.claim.read.find(t.id); {
		case at >= 0 && (b.within.has(at) || b.subject.has(at)):
			g.share(t, &b.claim.read.terms[at], &r)
			g.inScope = g.inScope || t.role&owning != 0 && (slices.Contains(b.claim.read.places, t.id) || slices.Contains(a.claim.read.places, t.id))
		case at >= 0: // said elsewhere in the claim: it tells neither from the other
			// it tells neither from the other
		case slices.Contains(b.claim.read.scope, t.id):
			if t.said() >= strongWeight {
				g.viaScope = strongWeight
				g.inScope = g.inScope || slices.Contains(b.claim.read.places, t.id)
			}
		case a.subject.has(i):
			r.names(t)
		default:
			r.add(t, a.narrows(i), a.head(i))
		}
	}
	return r
}

func (g *agreement) share(t, other *term, r *rest) {
	if (t.opposed < 0) != (other.opposed < 0) {
		r.opposed++
		if t.traits&direction != 0 {
			r.directions++
		}
		return
	}
	g.common += t.said()
	if t.said() >= strongWeight {
		g.strong++
	}
	g.own = g.own || t.role&owning != 0
	g.topic = g.topic || t.role&other.role&topic != 0 && t.role&owning != 0
}

// said is the weight of a term that is compared; a number then weighs as a name.
func (t *term) said() int {
	if t.role&figure != 0 || t.value > 0 {
		return nameWeight
	}
	return int(t.weight)
}

// counts reports whether a term is to be compared: numbers only if they may
// tell two things apart.
func (a part) counts(t *term) bool {
	if a.bounds && t.id == limitID {
		return false
	}
	if t.value > 0 {
		v := &a.claim.read.values[t.value-1]
		return a.figures && (v.Type != a.sameType || generation(v.Entity))
	}
	return t.role&figure == 0 || a.figures
}

// word returns the text of a term.
func (c side) word(t *term) string { return c.Text[t.start:t.end] }
