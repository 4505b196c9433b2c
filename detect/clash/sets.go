package clash

import (
	"engram/detect/frame"
	"engram/detect/lexicon"
	"engram/detect/quantity"
)

// sets proposes what speaks of many things:
//
//  1. List: lists that share members, of which one has more.
//  2. Quantifier: all or none, only, and a case, some or few.
func (p *pair) sets() {
	p.lists()
	p.quantifiers()
}

// list is the members of an enumeration.
type list struct {
	at      span
	members []int
}

// listsOf finds enumerations: words parted by commas, "and", "or" and arrows.
func (s side) listsOf() (lists []list) {
	for i := 0; i < len(s.Tokens); i++ {
		if l := s.listAt(i); len(l.members) > 1 {
			lists = append(lists, l)
			i = l.at.to - 1
		}
	}
	return lists
}

func (s side) listAt(i int) (l list) {
	l.at.from = i
	for i < len(s.Tokens) {
		member := s.member(i)
		if member < 0 {
			break
		}
		l.members = append(l.members, member)
		l.at.to = member + 1
		next := s.separator(member + 1)
		if next == member+1 {
			break
		}
		i = next
	}
	return l
}

// member returns the last token of a member that begins at i: one or two words.
func (s side) member(i int) int {
	for i < len(s.Tokens) && (s.Lower(i) == "the" || s.Lower(i) == "a" || s.Lower(i) == "as") {
		i++
	}
	if i >= len(s.Tokens) || s.Tokens[i].Role&frame.Content == 0 || s.Tokens[i].Value > 0 {
		return -1
	}
	if i+1 < len(s.Tokens) && s.separator(i+1) == i+1 && s.Tokens[i+1].Role&frame.Content != 0 && s.separator(i+2) > i+2 {
		return i + 1
	}
	return i
}

// separator returns the token behind what parts members at i, or i.
func (s side) separator(i int) int {
	from := i
	for i < len(s.Tokens) && i < from+2 && s.Lower(i-2) != "per" {
		switch s.Lower(i) {
		case ",", "and", "or", "->", "→", "/", "as", "well", "plus", "besides", "&":
			i++
			continue
		}
		break
	}
	return i
}

func (p *pair) lists() {
	inA, inB := p.a.listsOf(), p.b.listsOf()
	for _, x := range inA {
		sharedA, extraA := p.a.shared(x)
		if sharedA == 0 {
			continue
		}
		for _, y := range inB {
			sharedB, extraB := p.b.shared(y)
			if sharedB == 0 || extraA+extraB == 0 {
				continue
			}
			p.propose(candidate{family: List, a: x.at, b: y.at, extra: float32(min(sharedA, sharedB)), told: extraA == 0 || extraB == 0})
		}
	}
}

// shared counts the members of a list that the other claim has, and the others.
func (s side) shared(l list) (shared, extra int) {
	for _, i := range l.members {
		if s.match[i] >= partMeaning {
			shared++
		} else {
			extra++
		}
	}
	return shared, extra
}

// universal tells how a token quantifies: 2 for all and none, 1 for only, -1 for some.
func universal(f *frame.Frame, i int) int {
	switch f.Lower(i) {
	case "all", "every", "each", "none", "everything", "nobody", "everybody", "nothing", "no", "any", "always", "never", "whatever", "everyone", "anything", "not-one":
		return 2
	case "only", "solely", "exclusively", "just":
		return 1
	case "some", "few", "most", "several", "many", "half", "except", "partly", "mostly", "certain", "couple":
		return -1
	}
	return 0
}

// quantifiers proposes a statement about all beside one about some, or a case.
func (p *pair) quantifiers() {
	i, inA := p.a.quantifier()
	j, inB := p.b.quantifier()
	if inA <= 0 && inB <= 0 || inA > 0 && inB > 0 && inA == inB {
		return
	}
	c := candidate{family: Quantifier, a: p.a.wholeClause(), b: p.b.wholeClause()}
	if i >= 0 {
		c.a = span{i, i + 1}
	}
	if j >= 0 {
		c.b = span{j, j + 1}
	}
	if inA < 0 || inB < 0 {
		c.extra = 1
	}
	if p.a.clauseOf(c.a).Denials%2 != p.b.clauseOf(c.b).Denials%2 {
		c.extra++
	}
	p.propose(c)
}

// quantifier returns the word that quantifies most in a claim, of those that quantify
// something that the other claim has too.
func (s side) quantifier() (at, how int) {
	at = -1
	for i := range s.Tokens {
		u := universal(s.Frame, i)
		if u == 0 || how != 0 && u <= how {
			continue
		}
		if j := s.next(span{i, i + 1}, 1); j >= 0 && j < i+5 && s.match[j] >= nearMeaning || s.match[i] > 0 {
			at, how = i, u
		}
	}
	return at, how
}

// open reports words that leave room for others near a span.
func (s side) open(at span) bool {
	for i := max(at.from-8, 0); i < min(at.to+5, len(s.Tokens)); i++ {
		if t := &s.Tokens[i]; t.Part&lexicon.Admitting != 0 && t.Form != quantity.Symbol {
			return true
		}
	}
	return false
}

// closed reports words that leave no room for others near a span.
func (s side) closed(at span) bool {
	c := s.clauseOf(at)
	for i := max(c.From, at.from-10); i < min(c.To, at.to+8); i++ {
		if s.Tokens[i].Part&lexicon.Excluding != 0 {
			return true
		}
	}
	return false
}
