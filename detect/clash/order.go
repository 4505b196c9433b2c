package clash

import (
	"engram/detect/frame"
	"engram/detect/quantity"
)

// course is two parts of a claim with an order or a direction: what comes first, calls
// or sends, and what comes last, is called or gets.
type course struct {
	at             span
	earlier, later span
}

// order proposes turned order: what comes first for one comes last for the other, and
// who calls whom.
func (p *pair) order() {
	for _, courses := range [...]func(side) []course{side.sequences, side.directions} {
		inA, inB := courses(p.a), courses(p.b)
		for _, x := range inA[:min(len(inA), mostCourses)] {
			for _, y := range inB[:min(len(inB), mostCourses)] {
				p.turned(x, y)
			}
		}
	}
}

// mostCourses is how many courses of each claim are compared.
const mostCourses = 12

// turned proposes two courses if what is early in one is late in the other.
func (p *pair) turned(x, y course) {
	crossed := min(p.between(x.earlier, y.later), p.between(x.later, y.earlier))
	aligned := max(p.between(x.earlier, y.earlier), p.between(x.later, y.later))
	if crossed > 0 && crossed > aligned {
		p.propose(candidate{family: Order, a: x.at, b: y.at, extra: (crossed - aligned) / (crossed + aligned)})
	}
}

// between is the weight of what a span of the first claim has in common with one of the
// second.
func (p *pair) between(x, y span) (shared float32) {
	for i := max(x.from, 0); i < min(x.to, len(p.a.Tokens)); i++ {
		if j := p.a.partner[i]; j >= y.from && j < y.to {
			shared += p.a.match[i] * p.a.Tokens[i].Weight
		}
	}
	return shared
}

// reach is how many tokens on one side of a word of order are ordered by it.
const reach = 9

// sequences finds words of order:
//
//  1. X before Y, X then Y, X ahead of Y, X is followed by Y.
//  2. X after Y, X once Y, X only when Y.
//  3. After Y, X.
//  4. X first and Y afterwards.
func (s side) sequences() (list []course) {
	for i := range s.Tokens {
		left, right := s.reachOf(i, -1), s.reachOf(i, 1)
		c := course{at: span{i, i + 1}, earlier: left, later: right}
		switch s.Lower(i) {
		case "before", "ahead", "prior", "precedes", "until", "->", "→", "front", "followed", "by":
			if s.Lower(i) == "by" && s.Lower(i-1) != "followed" {
				continue
			}
			if s.startsSentence(i) {
				c.earlier, c.later = s.afterComma(i)
			}
		case "after", "once", "follows", "behind", "following":
			c.earlier, c.later = right, left
			if s.startsSentence(i) {
				c.later, c.earlier = s.afterComma(i)
			}
		case "then", "afterwards", "later", "subsequently", "last", "next", "finally":
			at := s.separatorBefore(i)
			if at < 0 {
				continue
			}
			c.earlier, c.later = s.reachOf(at, -1), span{at + 1, s.reachOf(i, 1).to}
		default:
			continue
		}
		list = append(list, c)
	}
	return list
}

// reachOf returns the tokens on one side of token i, within its sentence.
func (s side) reachOf(i, step int) span {
	j := i + step
	for n := 0; j >= 0 && j < len(s.Tokens) && n < reach && !s.endsSentence(j); n++ {
		j += step
	}
	if step < 0 {
		return span{j + 1, i}
	}
	return span{i + 1, j}
}

func (s side) endsSentence(i int) bool {
	return s.Tokens[i].Form == quantity.Symbol && (s.Lower(i) == "." || s.Lower(i) == ";" || s.Lower(i) == ":")
}

func (s side) startsSentence(i int) bool {
	return i == 0 || s.endsSentence(i-1) || i == 1 && (s.Lower(0) == "only" || s.Lower(0) == "right")
}

// afterComma returns what stands behind the comma of "after Y, X", and Y.
func (s side) afterComma(i int) (x, y span) {
	for j := i; j < len(s.Tokens) && !s.endsSentence(j); j++ {
		if s.Lower(j) == "," {
			return s.reachOf(j, 1), span{i + 1, j}
		}
	}
	return span{}, span{i + 1, len(s.Tokens)}
}

// separatorBefore returns the nearest "and", comma or semicolon before token i.
func (s side) separatorBefore(i int) int {
	for j := i; j >= 0 && j > i-10; j-- {
		switch s.Lower(j) {
		case "and", ",", ";", ":":
			return j
		}
	}
	return -1
}

// verbal reports a word that ties one thing to another in a direction.
func verbal(t *frame.Token) bool {
	switch t.Lower {
	case "call", "calls", "called", "invokes", "invoked", "pushes", "pushed", "push", "pulls", "pulled", "pull", "sends", "sent", "depends", "wins", "win", "overrides", "override", "overridden",
		"copies", "copied", "triggers", "triggered", "publishes", "feeds", "imports", "imported", "trusts", "precedence", "beats", "beat", "replicates", "fetches", "fetched", "polls", "polled", "over", "into":
		return true
	}
	return false
}

// directions finds who does something to whom: X calls Y, Y is called by X.
func (s side) directions() (list []course) {
	for i := range s.Tokens {
		if !verbal(&s.Tokens[i]) {
			continue
		}
		c := course{at: span{i, i + 1}, earlier: s.reachOf(i, -1), later: s.reachOf(i, 1)}
		switch pull := s.Lower(i); {
		case s.Has("by", i+1, i+3), pull == "pulls", pull == "fetches", pull == "polls", pull == "imports", pull == "overridden":
			c.earlier, c.later = c.later, c.earlier
		}
		list = append(list, c)
	}
	return list
}
