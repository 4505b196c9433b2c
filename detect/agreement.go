package detect

import "slices"

// span is a range of terms.
type span struct{ from, to int }

func (s span) has(i int) bool { return i >= s.from && i < s.to }

// part is what a rule compares of a claim: a clause, or the stretch around a
// value, without the terms that the rule is about.
type part struct {
	claim    *Claim
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
	sameProduct bool // the values are versions of one product
	close       bool // what stands right around the values is shared
	viaScope    int  // the weight of what one says and the scope of the other has
	restA       rest
	restB       rest
	contrasting bool // each has a word that tells it from the other
}

// rest is what one part says and the other claim does not.
type rest struct {
	strong     int // terms that say much, but for what is measured
	owning     int // names that mean one thing anywhere
	figures    int
	contrasts  int
	measures   int
	narrowing  int       // terms behind "for", "on", "of": they may narrow what is spoken of
	opposed    int       // terms of which the other has the opposite
	negative   int       // unmatched words such as disabled, which deny what they are said of
	qualified  int       // unmatched ends of oppositions
	directions int       // how many of these may tell two things apart
	heads      [4]uint32 // what the first of the terms stand right before
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
	g.contrasting = g.restA.contrasts > 0 && g.restB.contrasts > 0 || g.restA.measures > 0 && g.restB.measures > 0 || g.restA.shareHead(&g.restB)
	return g
}

// unsure reports that each part says something that the other does not, and that
// it is no small part of what both say.
func (g agreement) unsure() bool { return 3*min(g.restA.strong, g.restB.strong) > g.strong }

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
		case at >= 0: // said elsewhere in the claim
			r.negative += t.denying()
		case slices.Contains(b.claim.read.scope, t.id):
			if t.said() >= strongWeight {
				g.viaScope = strongWeight
			}
		case !a.subject.has(i):
			r.add(t, a.narrows(i), a.head(i))
		}
	}
	return r
}

// share counts a term of which the other part has the meaning, or the opposite.
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
}

// said is the weight of a term that is compared; a number then weighs as a name.
func (t *term) said() int {
	if t.role&figure != 0 || t.value > 0 {
		return nameWeight
	}
	return int(t.weight)
}

// denying is 1 for the words that deny what they are said of: disabled.
func (t *term) denying() int {
	if t.opposed < 0 && t.traits&direction == 0 {
		return 1
	}
	return 0
}

// head returns what term i stands right before, if that is a word of the part.
func (a part) head(i int) uint32 {
	terms := a.claim.read.terms
	if i+1 < a.within.to && terms[i+1].role&(glue|denial|shadow) == 0 && terms[i+1].value == 0 {
		return terms[i+1].id
	}
	return 0
}

// shareHead reports that both have a word of their own before one word: audit
// logs and access logs.
func (r *rest) shareHead(s *rest) bool {
	for _, id := range r.heads {
		if id != 0 && slices.Contains(s.heads[:], id) {
			return true
		}
	}
	return false
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

// add counts a term that the other claim lacks.
func (r *rest) add(t *term, narrows bool, head uint32) {
	switch {
	case t.role&figure != 0 || t.value > 0:
		r.figures++
	case t.traits&quantity != 0:
		r.measures++
	case t.weight >= strongWeight:
		if r.strong < len(r.heads) {
			r.heads[r.strong] = head
		}
		r.strong++
		if t.role&owning != 0 {
			r.owning++
		}
		if narrows {
			r.narrowing++
		}
	}
	if t.opposed != 0 {
		r.qualified++
	}
	if t.traits&contrast != 0 {
		r.contrasts++
	}
	r.negative += t.denying()
}

// narrows reports whether term i stands behind a preposition that narrows what
// is spoken of.
func (a part) narrows(i int) bool {
	for j := i - 1; j >= a.within.from && j >= i-3; j-- {
		t := &a.claim.read.terms[j]
		if t.role&glue == 0 {
			continue
		}
		switch a.claim.word(t) {
		case "for", "of", "per", "during", "under", "when", "if", "in":
			return true
		}
		return false
	}
	return false
}

// word returns the text of a term.
func (c *Claim) word(t *term) string { return c.Text[t.start:t.end] }
