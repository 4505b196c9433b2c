package detect

// uses finds what the text says is used or not.
//
//  1. Denied: does not use X, no longer uses X, never uses X, has no X,
//     without X, there is no X.
//  2. Said of something with a name of its own: uses Redis, relies on `jq`.
//
// Other objects of "uses" are left out: they are too many and too vague.
func (p *parser) uses() {
	n := len(p.vals)
	for i := range p.toks {
		if p.toks[i].value != 0 {
			continue
		}
		verb, object := p.useVerb(i)
		if object == 0 {
			continue
		}
		denied := verb != i || p.is(i, "without") || p.denied(i)
		first, last := p.object(object)
		if last < first || !denied && (p.toks[last].mention == "" || first != last || p.after(last)) {
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
		v := &p.vals[len(p.vals)-1]
		v.left, v.Negated, v.Old, v.Bound = i, denied, false, Exactly
	}
	p.order(n)
}

// useVerb returns the token of the verb at i and where its object begins, or
// zero. The verb is another token when the denial itself begins at i.
func (p *parser) useVerb(i int) (verb, object int) {
	switch {
	case p.is(i, "use", "uses", "using"):
		return i, i + 1
	case p.is(i, "relies", "rely", "depends", "depend") && p.is(i+1, "on"):
		return i, i + 2
	case p.is(i, "without"):
		if p.is(i+1, "using") {
			return i, 0
		}
		return i, i + 1
	case p.is(i, "has", "have", "had") && p.is(i+1, "no"):
		return i + 1, i + 2
	case p.is(i, "there") && p.is(i+1, "is", "are") && p.is(i+2, "no"):
		return i + 1, i + 3
	}
	return i, 0
}

// denied reports a "not" before the verb at i.
func (p *parser) denied(i int) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		switch t := &p.toks[j]; {
		case t.class&neg != 0:
			return true
		case t.class&(adverb|aux) == 0:
			return false
		}
	}
	return false
}

// object returns the tokens of a short noun phrase at i; it is empty when the
// phrase is long, and so more than the name of a thing.
func (p *parser) object(i int) (first, last int) {
	for p.is(i, "a", "an", "the", "any") {
		i++
	}
	first, last = i, i-1
	for i < len(p.toks) && i-first < 4 {
		t := &p.toks[i]
		if t.kind == symbol || t.value != 0 && t.kind != word || t.class&^(attr|setting|label) != 0 {
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
func (p *parser) after(i int) bool {
	return i+1 < len(p.toks) && p.toks[i+1].kind == word && p.toks[i+1].class == 0
}
