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
}

// agreement is how far two parts speak of one thing.
type agreement struct {
	common      int  // the weight of what both say
	strong      int  // how many terms of it say much
	own         bool // a name that says which one is meant in any scope
	close       bool // what stands right around the values is shared
	restA       rest
	restB       rest
	contrasting bool // each has a word that tells it from the other
}

// rest is what one part says and the other claim does not.
type rest struct {
	weight     int
	strong     int
	names      int
	figures    int
	contrasts  int
	measures   int
	narrowing  int // terms behind "for", "on", "of": they may narrow what is spoken of
	opposed    int // terms of which the other has the opposite
	directions int // how many of these may tell two things apart
}

// agree compares two parts.
func agree(a, b part) agreement {
	var g agreement
	g.restA = a.against(b, &g)
	var mirror agreement
	g.restB = b.against(a, &mirror)
	g.common = min(g.common, mirror.common)
	g.strong = min(g.strong, mirror.strong)
	g.contrasting = g.restA.contrasts > 0 && g.restB.contrasts > 0 || g.restA.measures > 0 && g.restB.measures > 0
	return g
}

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
		weight := int(t.weight)
		if t.role&figure != 0 || t.value > 0 {
			weight = nameWeight
		}
		switch at := b.claim.read.find(t.id); {
		case at >= 0 && (b.within.has(at) || b.subject.has(at)):
			if (t.opposed < 0) != (b.claim.read.terms[at].opposed < 0) {
				r.opposed++
				if t.traits&direction != 0 {
					r.directions++
				}
				continue
			}
			g.common += weight
			if weight >= strongWeight {
				g.strong++
			}
			g.own = g.own || t.role&owning != 0
		case at >= 0 || slices.Contains(b.claim.read.scope, t.id):
		default:
			r.add(t, weight, a.narrows(i))
		}
	}
	return r
}

// counts reports whether a term is to be compared: numbers only if they may
// tell two things apart.
func (a part) counts(t *term) bool {
	if t.value > 0 {
		v := &a.claim.read.values[t.value-1]
		return a.figures && v.Type != a.sameType
	}
	return t.role&figure == 0 || a.figures
}

func (r *rest) add(t *term, weight int, narrows bool) {
	r.weight += weight
	if t.role&figure != 0 || t.value > 0 {
		r.figures++
	} else if weight >= strongWeight {
		r.strong++
		if t.role&named != 0 || t.kinds != 0 {
			r.names++
		}
		if narrows {
			r.narrowing++
		}
	}
	if t.traits&contrast != 0 {
		r.contrasts++
	}
	if t.traits&quantity != 0 {
		r.measures++
	}
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
		case "for", "of", "on", "per", "during", "under", "when", "if", "from", "with", "at", "to":
			return true
		}
		return false
	}
	return false
}

// find returns the first term of this meaning, or -1.
func (r *reading) find(id uint32) int {
	for i := range r.terms {
		if r.terms[i].id == id && r.terms[i].role&(shadow|glue) == 0 {
			return i
		}
	}
	return -1
}

// word returns the text of a term.
func (c *Claim) word(t *term) string { return c.Text[t.start:t.end] }
