package rule

import (
	"engram/detect/claim"
	"engram/detect/entity"
	"engram/detect/finding"
	"engram/detect/lexicon"
)

// stages finds what is gone for one claim and in use for the other.
func (p *pair) stages(i, j int) (clash, bool) {
	x, y := &p.a.Clauses[i], &p.b.Clauses[j]
	if x.Features&y.Features&claim.HasStage == 0 || !p.canHoldTogether(x.Conditions, y.Conditions) {
		return clash{}, false
	}
	s, t := p.a.stage(x), p.b.stage(y)
	if s < 0 || t < 0 {
		return clash{}, false
	}
	u, w := &p.a.Terms[s], &p.b.Terms[t]
	signA, signB := int(u.Lifecycle)*(1-2*(x.Denials%2)), int(w.Lifecycle)*(1-2*(y.Denials%2))
	if signA == signB || u.ID == w.ID {
		return clash{}, false
	}
	a, b := p.a.clausePart(i), p.b.clausePart(j)
	a.without, b.without = span{s, s + 1}, span{t, t + 1}
	g := agree(a, b)
	c := clash{rule: byStage, tier: finding.TierTemporal, a: p.a.stagePlace(s), b: p.b.stagePlace(t)}
	switch {
	case p.a.says(x, "until") || p.b.says(y, "until"):
		return c, false // what is going may stay until then
	case g.restA.narrowing > 0 && g.restB.narrowing > 0:
		return c, false // gone for some, in use for others
	case p.sameFullSubject(x, y) && !p.a.narrowed(s, x) && !p.b.narrowed(t, y):
		return c, true
	}
	if g.restA.contrasts+g.restB.contrasts > 0 || !p.a.subjectIn(x, p.b) || !p.b.subjectIn(y, p.a) {
		return c, false // the old page, and its documentation
	}
	return c, p.sameThing(g) && !p.cases(x.From, y.From) && !p.a.modified(x, p.b) && !p.b.modified(y, p.a)
}

// livesApart reports two releases that are what their clauses are about, one gone and
// one in use: of two things, as Python 2 and Python 3.
func (p *pair) livesApart(v, w *entity.Entity) bool {
	i, j := p.a.At(v.Start), p.b.At(w.Start)
	if i == len(p.a.Terms) || j == len(p.b.Terms) {
		return false
	}
	x, y := p.a.ClauseOf(i), p.b.ClauseOf(j)
	s, t := p.a.stage(x), p.b.stage(y)
	return s >= 0 && t >= 0 && i < x.Verb && j < y.Verb && p.a.Terms[s].Lifecycle != p.b.Terms[t].Lifecycle
}

// stagePlace is where a stage stands, of "end of life" all of it.
func (c side) stagePlace(i int) finding.Place {
	s := span{i, i + 1}
	for s.to < len(c.Terms) && c.Terms[i].Lower == "end" && s.to < i+3 {
		s.to++
	}
	return c.place(s)
}

// stage returns the term that says at which stage of life the subject is, or -1:
// a word right behind "is" or "was". What is gone may be what was in use, but not
// the other way round.
func (c side) stage(x *claim.Clause) int {
	at := -1
	for i := x.From; i < x.To; i++ {
		switch t := &c.Terms[i]; {
		case t.Lifecycle == 0 || t.Role&claim.Unasserted != 0 || !c.predicated(i, x):
		case t.Lifecycle < 0:
			return i
		case at < 0:
			at = i
		}
	}
	return at
}

// predicated reports whether term i is said of the subject of a clause: it stands
// behind a form of "to be", with adverbs and denials at most in between.
func (c side) predicated(i int, x *claim.Clause) bool {
	for i--; i >= x.From; i-- {
		t := &c.Terms[i]
		switch class := lexicon.Classify(t.Lower); {
		case class&lexicon.Copula != 0 || t.Lower == "been" || t.Lower == "reached":
			return true
		case class&(lexicon.Adverb|lexicon.Neg|lexicon.Aux) == 0 && t.Role&claim.StopWord == 0:
			return false
		}
	}
	return false
}
