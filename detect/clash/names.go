package clash

import (
	"slices"

	"engram/detect/frame"
	"engram/detect/quantity"
)

// names proposes names that stand for each other:
//
//  1. Identifier: two identifiers of one shape, two paths, two literals.
//  2. Name: two proper names, or who is responsible.
func (p *pair) names() {
	for i := range p.a.Tokens {
		t := &p.a.Tokens[i]
		if !nameable(t) {
			continue
		}
		for j := range p.b.Tokens {
			u := &p.b.Tokens[j]
			if !nameable(u) || t.Lower == u.Lower {
				continue
			}
			toldA, toldB := p.a.match[i] >= partMeaning, p.b.match[j] >= partMeaning
			if toldA && toldB {
				continue
			}
			c := candidate{a: span{i, i + 1}, b: span{j, j + 1}, told: toldA || toldB}
			switch {
			case t.Role&u.Role&frame.Code != 0 && (t.Form == u.Form || t.Quoted && u.Quoted):
				c.family = Identifier
			case t.Role&u.Role&frame.Proper != 0:
				c.family = Name
			default:
				continue
			}
			p.proposeNamed(c)
		}
	}
	p.owners()
}

// proposeNamed proposes two names, unless one is in both claims and nothing is said to
// have changed: then the claims may speak of several.
func (p *pair) proposeNamed(c candidate) {
	if !c.told || p.a.changes(c.a) != p.b.changes(c.b) {
		p.propose(c)
	}
}

func nameable(t *frame.Token) bool {
	return t.Role&(frame.Code|frame.Proper) != 0 && t.Value == 0
}

// owning words tie something to who answers for it.
func owning(t *frame.Token) bool {
	switch t.Lower {
	case "own", "owns", "owned", "owner", "owners", "ownership", "belongs", "belong", "responsible", "responsibility", "maintains", "maintained",
		"maintain", "maintainer", "charge", "handles", "handled", "managed", "manages", "operates", "operated", "job", "property", "answers", "care", "mastered", "master",
		"rota", "on-call", "pager", "contact", "sign", "signed", "decides", "approves", "prioritises", "fixes", "run", "runs", "looked", "corrects", "corrected":
		return true
	}
	return false
}

// owns reports a word at token i that says who answers for something, whatever is around it.
func (s side) owns(i int) bool {
	switch s.Lower(i) {
	case "own", "owns", "owned", "owner", "owners", "ownership", "belongs", "belong", "responsible", "responsibility", "maintains", "maintainer", "rota", "on-call", "pager", "contact":
		return true
	case "maintained", "handled", "managed", "operated", "run", "approves", "approved", "signed":
		return s.Has("by", i+1, i+3)
	case "charge":
		return s.Lower(i-1) == "in"
	case "job":
		return s.Lower(i+1) == "of" || s.Lower(i+1) == ""
	case "looked":
		return s.Lower(i+1) == "after"
	}
	return false
}

// owners proposes the words that only one claim has beside words of ownership.
func (p *pair) owners() {
	i, j := p.a.owner(), p.b.owner()
	if i < 0 || j < 0 {
		return
	}
	x, y := p.a.unshared(i), p.b.unshared(j)
	if x < 0 || y < 0 {
		return
	}
	c := candidate{family: Name, a: span{x, x + 1}, b: span{y, y + 1}}
	if c.extra = 0.5; p.a.owns(i) && p.b.owns(j) {
		c.what, c.extra = "owner", 1
	}
	p.propose(c)
}

func (s side) owner() int {
	return slices.IndexFunc(s.Tokens, func(t frame.Token) bool { return owning(&t) })
}

// unshared returns the word of weight nearest to token i that the other claim has not.
func (s side) unshared(i int) int {
	best, least := -1, 12
	for j := range s.Tokens {
		t := &s.Tokens[j]
		if t.Weight < 0.5 || s.match[j] >= nearMeaning || t.Form == quantity.Symbol || owning(t) {
			continue
		}
		if d := max(i-j, j-i); d < least {
			best, least = j, d
		}
	}
	return best
}
