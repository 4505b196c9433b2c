package detect

// ends reports whether token i parts two clauses: the end of a sentence, a word
// such as but, or a comma with a word behind it that begins a clause.
func (p *reader) ends(i int) bool {
	if p.toks[i].kind != symbol {
		return p.is(i, "but", "while", "whereas", "although", "because", "hence", "otherwise") ||
			p.is(i, "and") && p.verbBefore(i) && p.verbBehind(i, neg)
	}
	switch p.toks[i].low {
	case ";", "!", "?":
		return true
	case ".":
		return !p.toks[i].glued || i+1 == len(p.toks) || !p.toks[i+1].glued
	case ":":
		return p.verbBefore(i) && p.verbBehind(i, be|aux)
	case ",":
		if p.verbBefore(i) && p.verbBehind(i, be|aux) {
			return true
		}
		return i > 3 && p.is(i+1, "so", "as", "since", "which", "and", "where", "nothing", "no", "then", "it", "we", "they")
	}
	return false
}

// verbBefore reports whether there is a verb between token i and the beginning of
// its part of the sentence.
func (p *reader) verbBefore(i int) bool {
	for i--; i >= 0 && (p.toks[i].kind != symbol || p.toks[i].glued); i-- {
		if p.has(i, be|have|aux|when) {
			return !p.has(i, when) && !p.is(i, "to")
		}
	}
	return false
}

// verbBehind reports whether a word of some classes follows soon after token i,
// with a subject before it.
func (p *reader) verbBehind(i int, c class) bool {
	for j := i + 1; j < len(p.toks) && j < i+6 && p.toks[j].kind != symbol && !p.has(j, when|starts); j++ {
		if p.has(j, c) && !p.is(j, "to") || c == neg && deniesAll(p.toks[j].low) {
			return j > i+1
		}
	}
	return false
}
