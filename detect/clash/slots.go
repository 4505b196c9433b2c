package clash

import (
	"slices"
	"strings"

	"engram/detect/frame"
	"engram/detect/lexicon"
	"engram/detect/quantity"
)

// Slot is the family of values of one attribute of one thing with a name of its own.
const Slot Family = "named slot"

// FindSlot returns two values of one attribute of what has the same unmistakable name in
// both claims, however they are worded:
//
//  1. They share a name in code, a path or a number of a document, and not each names
//     another one.
//  2. Each gives a value that the other does not give: a version or a number, beside a
//     word for an attribute that both have, or two such names; or the word beside an
//     attribute.
//  3. They do not speak of other circumstances.
func FindSlot(a, b *frame.Frame) (Clash, bool) {
	if a.Text == b.Text || !meets(a.Keys, b.Keys) {
		return Clash{}, false
	}
	swapped := b.Text < a.Text
	if swapped {
		a, b = b, a
	}
	p := &pair{a: side{Frame: a}, b: side{Frame: b}}
	shared := p.sharedNames()
	if shared == 0 {
		return Clash{}, false
	}
	p.matchTokens()
	c, ok := p.namedSlot(shared)
	if !ok {
		return Clash{}, false
	}
	found := Clash{Family: Slot, Probability: 1, A: p.a.place(c.a), B: p.b.place(c.b), Newer: p.newer(c), Explanation: p.explain(c, swapped)}
	if swapped {
		found = found.swap()
	}
	return found, true
}

func (p *pair) namedSlot(shared int) (candidate, bool) {
	attribute := p.attribute()
	if attribute >= 0 {
		if c, ok := p.attributed(attribute); ok && p.oneSlot(c) {
			return c, true
		}
	}
	if attribute < 0 && shared < 2 {
		return candidate{}, false
	}
	p.quantities()
	for _, c := range p.candidates {
		if c.family == Version && !c.told && len(p.a.Quantities) == 1 && len(p.b.Quantities) == 1 && p.oneSlot(c) {
			return c, true
		}
	}
	return candidate{}, false
}

// oneSlot reports places beside which not each claim names another thing or another case.
func (p *pair) oneSlot(c candidate) bool {
	both, _ := p.caseOf(c)
	x, y := p.a.stage(c.a), p.b.stage(c.b)
	return both == 0 && (x == y || x == "" || y == "") && !p.ownNames(c)
}

// stage returns the stage of life that a claim names beside a place.
func (s side) stage(beside span) string {
	for i := range s.Tokens {
		switch w := s.Lower(i); w {
		case "alpha", "beta", "stable", "deprecated", "removed":
			if i < beside.from || i >= beside.to {
				return w
			}
		}
	}
	return ""
}

// unmistakable reports a name that means one thing: KEP-1981, a path, a dotted name.
func unmistakable(t *frame.Token) bool {
	return t.Value == 0 && (t.Form == quantity.Identifier || t.Form == quantity.Path)
}

// sharedNames counts the unmistakable names that both claims have.
func (p *pair) sharedNames() (n int) {
	for i := range p.a.Tokens {
		t := &p.a.Tokens[i]
		if unmistakable(t) && (!p.a.bracketed(i) || strings.ContainsAny(t.Lower, "0123456789")) && p.b.has(t.Lower) {
			n++
		}
	}
	return n
}

// ownName reports an unmistakable name beside a place that the other claim has not.
func (s side) ownName(other side, beside span) bool {
	for i := range s.Tokens {
		t := &s.Tokens[i]
		if unmistakable(t) && (i < beside.from || i >= beside.to) && !other.has(t.Lower) {
			return true
		}
	}
	return false
}

// has reports whether a claim has a word as it is written.
func (s side) has(word string) bool {
	return slices.ContainsFunc(s.Tokens, func(t frame.Token) bool { return t.Lower == word })
}

// attribute returns the token of the first claim that names an attribute of both, -1
// without one.
func (p *pair) attribute() int {
	for i := range p.a.Tokens {
		t := &p.a.Tokens[i]
		if j := p.a.partner[i]; j >= 0 && p.a.match[i] == sameMeaning && isAttribute(t) && isAttribute(&p.b.Tokens[j]) && !p.a.bracketed(i) && !p.b.bracketed(j) {
			return i
		}
	}
	return -1
}

// bracketed reports a token in brackets, where titles stand.
func (s side) bracketed(i int) bool {
	depth := 0
	for j := range i {
		switch s.Lower(j) {
		case "(":
			depth++
		case ")":
			depth--
		}
	}
	return depth > 0
}

func isAttribute(t *frame.Token) bool {
	return slices.ContainsFunc([]string{"stage", "status", "own", "owner", "owned", "owns", "milestone", "gate", "default", "defaults", "state", "phase", "level", "priority", "version", "release", "licence", "license", "region", "mode", "maintainer", "maintained"},
		func(w string) bool { return t.Lower == w })
}

// attributed proposes the values beside an attribute: what stands behind it, or right
// before it.
func (p *pair) attributed(i int) (candidate, bool) {
	j := p.a.partner[i]
	x, y := p.a.valueAt(p.b, i), p.b.valueAt(p.a, j)
	if x < 0 || y < 0 {
		return candidate{}, false
	}
	q, r := p.a.valueOf(span{x, x + 1}), p.b.valueOf(span{y, y + 1})
	if (q == nil) != (r == nil) || q != nil && (!q.Comparable(r) || q.Equal(r)) {
		return candidate{}, false
	}
	if q == nil && (worded(p.a.Lower(i)) || misspelt(p.a.Lower(x), p.b.Lower(y))) {
		return candidate{}, false
	}
	return candidate{family: Alternative, a: span{x, x + 1}, b: span{y, y + 1}, what: p.a.Tokens[i].Lower}, true
}

// worded reports attributes whose word beside it need not be their value: "by default
// nothing is printed".
func worded(attribute string) bool {
	switch attribute {
	case "default", "defaults", "version", "release", "state", "level", "mode", "priority", "gate":
		return true
	}
	return false
}

// misspelt reports two words that begin and end alike, of which one may be misspelt.
func misspelt(v, w string) bool {
	n, m := len(v), len(w)
	return strings.HasPrefix(v, w) || strings.HasPrefix(w, v) || n > 4 && m > 4 && v[:2] == w[:2] && v[n-2:] == w[m-2:]
}

// valueAt returns the value of the attribute at token i that the other claim has not: the
// nearest word of content on either side.
func (s side) valueAt(other side, i int) int {
	for _, step := range [...]int{1, -1, 2, -2, 3, -3, 4, 5} {
		j := i + step
		if j < 0 || j >= len(s.Tokens) {
			continue
		}
		t := &s.Tokens[j]
		if t.Value > 0 || t.Role&frame.Content != 0 && t.Part&(lexicon.Stop|lexicon.Common|lexicon.Evolving) == 0 && !other.has(t.Lower) && !verbal(t) && !owning(t) && !s.bracketed(j) {
			return j
		}
	}
	return -1
}
