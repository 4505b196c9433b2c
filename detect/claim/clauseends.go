package claim

import (
	"engram/detect/entity"
	"engram/detect/lexicon"
)

// ends reports whether token i parts two clauses: the end of a sentence, a word
// such as but, or a comma with a word behind it that begins a clause.
func (p *reader) ends(i int) bool {
	if p.Tokens[i].Kind != entity.Symbol {
		return p.Is(i, "but", "while", "whereas", "although", "because", "hence", "otherwise") ||
			p.Is(i, "and") && p.verbBefore(i) && p.verbBehind(i, lexicon.Neg)
	}
	switch p.Tokens[i].Lower {
	case ";", "!", "?":
		return true
	case ".":
		return !p.Tokens[i].Glued || i+1 == len(p.Tokens) || !p.Tokens[i+1].Glued
	case ":":
		return p.verbBefore(i) && p.verbBehind(i, lexicon.Copula|lexicon.Aux)
	case ",":
		if p.verbBefore(i) && p.verbBehind(i, lexicon.Copula|lexicon.Aux) {
			return true
		}
		return i > 3 && p.Is(i+1, "so", "as", "since", "which", "and", "where", "nothing", "no", "then", "it", "we", "they")
	}
	return false
}

// verbBefore reports whether there is a verb between token i and the beginning of
// its part of the sentence.
func (p *reader) verbBefore(i int) bool {
	for i--; i >= 0 && (p.Tokens[i].Kind != entity.Symbol || p.Tokens[i].Glued); i-- {
		if p.Has(i, lexicon.Copula|lexicon.Have|lexicon.Aux|lexicon.When) {
			return !p.Has(i, lexicon.When) && !p.Is(i, "to")
		}
	}
	return false
}

// verbBehind reports whether a word of some classes follows soon after token i,
// with a subject before it.
func (p *reader) verbBehind(i int, c lexicon.Class) bool {
	for j := i + 1; j < len(p.Tokens) && j < i+6 && p.Tokens[j].Kind != entity.Symbol && !p.Has(j, lexicon.When|lexicon.ClauseStart); j++ {
		if p.Has(j, c) && !p.Is(j, "to") || c == lexicon.Neg && deniesAll(p.Tokens[j].Lower) {
			return j > i+1
		}
	}
	return false
}
