package entity

import "engram/detect/lexicon"

// window returns the first of the tokens before value k that may name it: up
// to the sentence, clause or value before.
func (p *Parser) window(k int) int {
	v := &p.Values[k]
	i := v.Left
	linked := false
	for i > 0 && v.Left-i < maxWindow {
		t := &p.Tokens[i-1]
		switch {
		case t.ValueIndex != 0 && t.ValueIndex != k+1:
			o := &p.Values[t.ValueIndex-1]
			if o.Left == v.Left || p.partOfName(o) {
				break
			}
			return i
		case t.Kind == Symbol:
			switch t.Lower {
			case ")", "]":
				if open := p.opening(i - 1); open >= 0 && i-open < 12 {
					i = open
					if i > 0 {
						continue
					}
					return 0
				}
				return i
			case ".", ";", "?", "!", ",", "--", "—", "•", "|":
				return i
			case "-":
				if !t.Glued {
					return i
				}
			case ":", "=", "(":
				if linked {
					return i
				}
				linked = true
			}
		case t.Class&(lexicon.ClauseStart|lexicon.When) != 0:
			return i
		case t.Class&lexicon.Conj != 0 && (linked || t.Lower != "and"):
			return i
		case t.Class&(lexicon.Copula|lexicon.Have) != 0:
			linked = true
		}
		i--
	}
	return i
}

// partOfName reports values that names go on behind: the version of a product,
// "the v1 endpoint", what is used, and "removed" in "removed in v2".
func (p *Parser) partOfName(o *value) bool {
	switch o.Type {
	case Release:
		return o.Name != "" || p.plain(o.Last+1)
	case State:
		return o.Unit == Presence || o.Unit == Stage
	}
	return false
}

// opening returns the parenthesis that the one at i closes, looking back a
// few tokens only.
func (p *Parser) opening(i int) int {
	depth := 0
	for j := i; j >= 0 && i-j < 12; j-- {
		switch p.Tokens[j].Lower {
		case ")", "]":
			depth++
		case "(", "[":
			depth--
			if depth == 0 {
				return j
			}
		}
	}
	return -1
}

// closing returns the parenthesis before hi that closes the one at i, or i.
func (p *Parser) closing(i, hi int) int {
	for j := i + 1; j < hi; j++ {
		if p.Is(j, ")") {
			return j
		}
	}
	return i
}

// split divides the tokens before a value into the subject and what the value
// is of: at the last verb or sign that links the two.
func (p *Parser) split(lo, hi int) (of, name string) {
	for hi > lo && (p.Has(hi-1, lexicon.Prep|lexicon.Filler|lexicon.Adverb|lexicon.Aux|lexicon.About) && !p.Is(hi-1, "every", "default")) {
		hi--
	}
	link := -1
	for i := hi - 1; i >= lo; i-- {
		t := &p.Tokens[i]
		if t.ValueIndex != 0 && t.Mention == "" {
			continue
		}
		if t.Class&(lexicon.Copula|lexicon.Have|lexicon.Change|lexicon.Lifetime) != 0 || t.Lower == "set" || t.Lower == "sets" || t.Lower == "defaults" || t.Kind == Symbol && (t.Lower == ":" || t.Lower == "=" || t.Lower == "(") {
			link = i
			break
		}
	}
	middle := ""
	if link < 0 {
		return "", p.withInterval(p.phrase(lo, hi), hi)
	}
	middle = p.phrase(link+1, hi)
	if p.Has(link, lexicon.Lifetime) {
		middle = join("lifetime", middle)
	}
	if p.Tokens[link].Lower == "limited" {
		middle = join("limit", middle)
	}
	end := link
	for end > lo && (p.Has(end-1, lexicon.Aux|lexicon.Adverb|lexicon.Copula|lexicon.Change|lexicon.Filler|lexicon.About) || p.Is(end-1, "default", "(")) {
		end--
	}
	of = p.phrase(lo, end)
	name = p.withInterval(middle, hi)
	return of, name
}

// withInterval marks what happens every so often.
func (p *Parser) withInterval(name string, hi int) string {
	if p.Is(hi-1, "every") {
		return join(name, "interval")
	}
	return name
}
