package rule

import (
	"engram/detect/claim"
	"engram/detect/finding"
	"engram/detect/lexicon"
)

// order finds two events that come the other way round in the other claim.
func (p *pair) order() (clash, bool) {
	x, ordered := p.a.sequenceOf()
	y, too := p.b.sequenceOf()
	if !ordered || !too || !p.sameSort(x, y) || !p.canHoldTogether(p.a.allConditions(), p.b.allConditions()) {
		return clash{}, false
	}
	firstA, thenA := p.a.partOf(x.first), p.a.partOf(x.then)
	firstB, thenB := p.b.partOf(y.first), p.b.partOf(y.then)
	for _, s := range [...]*part{&firstA, &thenA, &firstB, &thenB} {
		s.figures = true
	}
	straight := min(agree(firstA, firstB).common, agree(thenA, thenB).common)
	c, d := agree(firstA, thenB), agree(thenA, firstB)
	switch crossed := min(c.common, d.common); {
	case crossed < 2*claim.WeakWeight, crossed < claim.StrongWeight && straight > 0, crossed <= straight:
		return clash{}, false
	case c.bothSayMore(), d.bothSayMore(), c.long(), d.long():
		return clash{}, false
	case p.a.kindOfItsOwn(p.b), p.b.kindOfItsOwn(p.a), p.cases(0, 0):
		return clash{}, false
	}
	return clash{rule: byOrder, tier: finding.TierTemporal, a: p.a.place(span{x.mark, x.mark + 1}), b: p.b.place(span{y.mark, y.mark + 1})}, true
}

// sequence is what a claim says comes first and what then, and the term that
// says so.
type sequence struct {
	first, then span
	mark        int
}

// sequenceOf reads one of:
//
//  1. X before Y, X ahead of Y, X precedes Y.
//  2. Y after X, Y once X.
//  3. X first, then Y.
func (c side) sequenceOf() (s sequence, ok bool) {
	terms := c.Terms
	if c.Features&claim.HasOrder == 0 {
		return sequence{}, false
	}
	for i := range terms {
		before, behind := span{0, i}, span{i + 1, len(terms)}
		switch c.word(&terms[i]) {
		case "before", "ahead", "precedes", "precede":
			return sequence{before, behind, i}, true
		case "after", "once":
			return sequence{behind, before, i}, true
		case "first":
			for j := i + 1; j < len(terms); j++ {
				if w := c.word(&terms[j]); w == "then" || w == "after" {
					return sequence{span{0, j}, span{j + 1, len(terms)}, i}, true
				}
			}
		}
	}
	return sequence{}, false
}

// bothSayMore reports that each part says something that the other does not.
func (g *agreement) bothSayMore() bool { return min(g.restA.strong, g.restB.strong) > 0 }

// kindOfItsOwn reports a word that tells things of one kind apart, such as old, and
// that the other claim lacks.
func (c side) kindOfItsOwn(other side) bool {
	for i := range c.Terms {
		if t := &c.Terms[i]; t.Traits&lexicon.Contrast != 0 && t.Traits&lexicon.Ordering == 0 && !other.has(t.ID) {
			return true
		}
	}
	return false
}

// sameSort reports that what has a number for a name is of one sort in two claims,
// going by the word before the first of them; what has none is not compared.
func (p *pair) sameSort(x, y sequence) bool {
	i, j := p.a.Number(x.first.from, x.first.to), p.b.Number(y.first.from, y.first.to)
	if i < 0 || j < 0 {
		return true
	}
	return i > 0 && j > 0 && p.a.Terms[i-1].ID == p.b.Terms[j-1].ID
}
