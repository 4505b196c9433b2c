package entity

import "engram/detect/lexicon"

// uses finds what the text says is used or not.
//
//  1. Denied: does not use X, no longer uses X, never uses X, has no X,
//     without X, there is no X.
//  2. Said of something with a name of its own: uses Redis, relies on `jq`.
//
// Other objects of "uses" are left out: they are too many and too vague.
func (p *Parser) uses() {
	n := len(p.Values)
	for i := range p.Tokens {
		if p.Tokens[i].ValueIndex != 0 {
			continue
		}
		verb, object := p.useVerb(i)
		if object == 0 {
			continue
		}
		denied := verb != i || p.Is(i, "without") || p.denied(i)
		first, last := p.object(object)
		if last < first || !denied && (p.Tokens[last].Mention == "" || first != last || p.after(last)) {
			continue
		}
		e := Entity{Type: State, Unit: Presence, Text: "used", Name: p.phrase(first, last+1), Negated: denied}
		if denied {
			e.Text = "not used"
		}
		if e.Name == "" {
			continue
		}
		p.put(e, first, last-first+1)
		v := &p.Values[len(p.Values)-1]
		v.Left, v.Negated, v.Old, v.Bound = i, denied, false, Exactly
	}
	p.order(n)
}

// useVerb returns the token of the verb at i and where its object begins, or
// zero. The verb is another token when the denial itself begins at i.
func (p *Parser) useVerb(i int) (verb, object int) {
	switch {
	case p.Is(i, "use", "uses", "using"):
		return i, i + 1
	case p.Is(i, "relies", "rely", "depends", "depend") && p.Is(i+1, "on"):
		return i, i + 2
	case p.Is(i, "without"):
		if p.Is(i+1, "using") {
			return i, 0
		}
		return i, i + 1
	case p.Is(i, "has", "have", "had") && p.Is(i+1, "no"):
		return i + 1, i + 2
	case p.Is(i, "there") && p.Is(i+1, "is", "are") && p.Is(i+2, "no"):
		return i + 1, i + 3
	}
	return i, 0
}

// denied reports a "not" before the verb at i.
func (p *Parser) denied(i int) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		switch t := &p.Tokens[j]; {
		case t.Class&lexicon.Neg != 0:
			return true
		case t.Class&(lexicon.Adverb|lexicon.Aux) == 0:
			return false
		}
	}
	return false
}

// object returns the tokens of a short noun phrase at i; it is empty when the
// phrase is long, and so more than the name of a thing.
func (p *Parser) object(i int) (first, last int) {
	for p.Is(i, "a", "an", "the", "any") {
		i++
	}
	first, last = i, i-1
	for i < len(p.Tokens) && i-first < 4 {
		t := &p.Tokens[i]
		if t.Kind == Symbol || t.ValueIndex != 0 && t.Kind != Word || t.Class&^(lexicon.Attr|lexicon.Setting|lexicon.Label) != 0 {
			break
		}
		last = i
		i++
	}
	if last-first >= 3 {
		return first, first - 1
	}
	return first, last
}

// after reports that the phrase goes on behind token i.
func (p *Parser) after(i int) bool {
	return i+1 < len(p.Tokens) && p.Tokens[i+1].Kind == Word && p.Tokens[i+1].Class == 0
}
