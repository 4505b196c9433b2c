package clash

import (
	"engram/detect/frame"
	"engram/detect/lexicon"
)

// order proposes turned order: what comes first for one comes last for the other, and
// who calls whom.
func (p *pair) order() {
	for i := range p.a.Tokens {
		for j := range p.b.Tokens {
			if d, e := sequence(p.a.Frame, i), sequence(p.b.Frame, j); d != 0 && e != 0 {
				p.turned(i, j, d == e)
			}
			if p.a.Tokens[i].Role&frame.Content != 0 && p.a.match[i] >= nearMeaning && p.a.partner[i] == j && verbal(&p.a.Tokens[i]) && verbal(&p.b.Tokens[j]) {
				p.turned(i, j, passive(p.a.Frame, i) == passive(p.b.Frame, j))
			}
		}
	}
}

// sequence tells what a word of order says: 1 for "x before y", -1 for "x after y".
func sequence(f *frame.Frame, i int) int {
	switch f.Lower(i) {
	case "before", "ahead", "prior", "precedes", "then", "afterwards", "until", "->", "→", "front", "followed":
		return 1
	case "after", "once", "follows", "behind", "comes":
		if f.Lower(i) == "comes" && f.Lower(i+1) != "after" {
			return 0
		}
		return -1
	}
	return 0
}

// verbal reports a word that ties one thing to another in a direction.
func verbal(t *frame.Token) bool {
	switch t.Lower {
	case "call", "calls", "called", "invokes", "invoked", "pushes", "pushed", "push", "pulls", "pulled", "pull", "sends", "sent", "flows", "depends", "uses", "wins", "win", "overrides", "override",
		"reads", "writes", "copies", "source", "triggers", "triggered", "publishes", "feeds", "imports", "imported", "trusts", "precedence", "beats", "replicates", "fetches", "polls", "polled":
		return true
	}
	return false
}

func passive(f *frame.Frame, i int) bool { return f.Has("by", i+1, i+3) }

// turned proposes words i and j if what stands before one stands behind the other, or
// the same way around if they say the opposite.
func (p *pair) turned(i, j int, same bool) {
	before, behind := p.a.around(i, -1), p.a.around(i, 1)
	if before < 0 || behind < 0 || p.a.Tokens[before].Stem == p.a.Tokens[behind].Stem {
		return
	}
	x, y := p.a.partner[before], p.a.partner[behind]
	if x == y || same != (x > j && y < j) || !same && !(x < j && y > j) {
		return
	}
	p.propose(candidate{family: Order, a: span{i, i + 1}, b: span{j, j + 1}, extra: p.a.match[before] * p.a.match[behind]})
}

// around returns the nearest word on one side of token i that the other claim has.
func (s side) around(i, step int) int {
	for j := i + step; j >= 0 && j < len(s.Tokens) && j-i < 14 && i-j < 14; j += step {
		t := &s.Tokens[j]
		if t.Weight > 0 && t.Part&lexicon.Common == 0 && s.match[j] >= nearMeaning && !verbal(t) && s.partner[j] >= 0 {
			return j
		}
	}
	return -1
}
