package rule

import (
	"engram/detect/claim"
	"engram/detect/entity"
	"engram/detect/finding"
	"engram/detect/lexicon"
)

// mostReplaced is how many terms an edit may replace.
const mostReplaced = 3

// edit finds sentences that differ in one small part. Near is true where they
// do, whatever the part is.
func (p *pair) edit() (c clash, found, near bool) {
	x, y := p.a.Terms, p.b.Terms
	head := 0
	for head < len(x) && head < len(y) && same(&x[head], &y[head]) {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && same(&x[len(x)-1-tail], &y[len(y)-1-tail]) {
		tail++
	}
	s, t := span{head, len(x) - tail}, span{head, len(y) - tail}
	size := max(s.to-s.from, t.to-t.from)
	if size > mostReplaced || head+tail < max(2*size, 3) || weightOf(x[:head])+weightOf(x[s.to:]) < p.frame(s, t) {
		return clash{}, false, false
	}
	c = clash{rule: byEdit, tier: finding.TierEntity, a: p.a.place(s), b: p.b.place(t)}
	c, found = p.replaced(c, s, t)
	return c, found, head+tail >= 4*size
}

// frame is how much what two sentences share must weigh. Within one scope less will
// do for two of a kind or two opposites, which are seldom said of different things
// in the same words.
func (p *pair) frame(s, t span) int {
	i, j := solid(p.a.Terms[s.from:s.to]), solid(p.b.Terms[t.from:t.to])
	if p.scopes == sameScope && i >= 0 && j >= 0 {
		u, v := &p.a.Terms[s.from+i], &p.b.Terms[t.from+j]
		if s.from+i > 0 && (u.Opposite(v) || u.Kinds&v.Kinds != 0 && u.ValueIndex+v.ValueIndex == 0) {
			return 2 * claim.WeakWeight
		}
	}
	return claim.StrongWeight + 2*claim.WeakWeight
}

// weightOf adds up the weights of terms.
func weightOf(terms []claim.Term) (weight int) {
	for i := range terms {
		weight += int(terms[i].Weight)
	}
	return weight
}

// same compares two terms of sentences that may be near identical.
func same(a, b *claim.Term) bool {
	return a.ID == b.ID && a.Pole == b.Pole && a.Role&claim.Denial == b.Role&claim.Denial
}

// replaced judges a replaced part by what it is.
//
//  1. A denial, or a word that denies: not, optional.
//  2. Two numbers, dates or versions, or names that differ in a number.
//  3. Two opposites, two of a kind, or two names in a place for one.
func (p *pair) replaced(c clash, s, t span) (clash, bool) {
	x, y := p.a.Terms[s.from:s.to], p.b.Terms[t.from:t.to]
	if p.a.Provisional() != p.b.Provisional() || p.a.vague() && p.b.vague() {
		return clash{}, false
	}
	if bare(x) && bare(y) && negated(x) != negated(y) && denials(x)+denials(y) > 0 {
		c.rule, c.denied, c.what = byPolarity, true, p.b.quote(p.b.all())
		if denials(x) == 0 {
			c.what = p.a.quote(p.a.all())
		}
		return c, true
	}
	i, j := solid(x), solid(y)
	if i < 0 || j < 0 || p.a.supposes(x[i].ID) || p.b.supposes(y[j].ID) {
		return clash{}, false
	}
	u, v := &x[i], &y[j]
	figures := u.Role&claim.Numeric != 0 && v.Role&claim.Numeric != 0 || u.ValueIndex > 0 && v.ValueIndex > 0
	switch first := s.from+i == 0; {
	case first || figures:
		return p.numbersDiffer(c, u, v, s.from+i)
	case p.numbered(u, v):
		return c, true
	case u.Opposite(v) && (p.a.tellsApart(s.from+i) && p.b.tellsApart(t.from+j) || p.cases(s.from+i, t.from+j)):
		return clash{}, false
	case u.Opposite(v):
		c.rule = byPolarity
		return c, true
	case u.Lifecycle*v.Lifecycle < 0:
		c.rule, c.tier = byStage, finding.TierTemporal
		return c, true
	case u.Kinds&v.Kinds != 0:
		c.rule, c.what = byChoice, lexicon.KindName(u.Kinds&v.Kinds)
		x := p.a.ClauseOf(s.from + i)
		return c, s.from+i > x.Verb && x.Verb > x.From && !x.OpenEnded
	}
	return c, u.Role&(claim.Literal|claim.Named) != 0 && v.Role&(claim.Literal|claim.Named) != 0 && p.a.holds(s.from+i)
}

// vague reports a claim about some of many, without saying which.
func (c side) vague() bool {
	switch c.Terms[0].Lower {
	case "some", "certain", "several", "many", "another":
		return true
	}
	return false
}

// numbersDiffer judges two numbers, of which the first is term i. A number behind a
// word such as phase is a name; so is one that begins a sentence, but for amounts
// and dates: "30 minutes have passed", not "v1.21: ...".
func (p *pair) numbersDiffer(c clash, u, v *claim.Term, i int) (clash, bool) {
	if u.ValueIndex == 0 || v.ValueIndex == 0 {
		return c, i > 0 && lexicon.Classify(p.a.Terms[i-1].Lower)&lexicon.Label == 0
	}
	e, f := &p.a.Values[u.ValueIndex-1].Entity, &p.b.Values[v.ValueIndex-1].Entity
	c.tier = tierOf(e)
	switch {
	case e.Type == f.Type && e.Unit == f.Unit && !entity.Exclusive(*e, *f):
		return clash{}, false
	case i == 0:
		return c, e.Type == f.Type && (e.Type == entity.Number || e.Type == entity.Date)
	}
	return c, lexicon.Classify(p.a.Terms[i-1].Lower)&lexicon.Label == 0
}
