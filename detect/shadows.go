package detect

// shadows marks what the tokens from lo to hi only mention as not, or no longer,
// being so.
//
//  1. Excluded: instead of X, rather than X, unlike X, "not X" behind a comma.
//  2. Former: old values; previously X, former X, used to X, no longer X.
//  3. Left: moved from X to Y, moved off X, replaced X by Y.
func (p *reader) shadows(terms []term, lo, hi int, first []int) {
	for i := lo; i < hi; i++ {
		from, to := p.excluded(i, hi)
		mark := shadow
		if from == to {
			from, to = p.former(i, hi)
			mark |= past
		}
		if from == to {
			from, to = p.left(i, hi)
		}
		for j := first[min(from, hi)]; j < first[min(to, hi)]; j++ {
			terms[j].role |= mark
		}
	}
}

// excluded is case 1 of shadows; the tokens are empty if it is not at i.
func (p *reader) excluded(i, hi int) (from, to int) {
	switch {
	case p.is(i, "instead") && p.is(i+1, "of"), p.is(i, "rather") && p.is(i+1, "than"):
		return i + 2, p.phraseEnd(i+2, hi)
	case p.is(i, "unlike"):
		return i + 1, p.phraseEnd(i+1, hi)
	case p.is(i, "not") && p.is(i-1, ",", "and", "(", "but") && i+1 < hi && !p.has(i+1, be|aux):
		return i, p.phraseEnd(i+1, hi)
	}
	return i, i
}

// former is case 2 of shadows.
func (p *reader) former(i, hi int) (from, to int) {
	t := &p.toks[i]
	switch {
	case t.value > 0 && p.vals[t.value-1].Old:
		return i, i + 1
	case p.is(i, "previously", "formerly", "former", "previous"):
		return i + 1, p.phraseEnd(i+1, hi)
	case p.is(i, "used") && p.is(i+1, "to"):
		return i + 2, hi
	case p.is(i, "no") && p.is(i+1, "longer") && (p.is(i-1, "and", ",") || p.is(i+2, "as", "in", "on", "the") || i+2 < hi && p.toks[i+2].kind == digits):
		return i + 2, max(p.phraseEnd(i+2, hi), min(i+4, hi))
	}
	return i, i
}

// left is case 3 of shadows.
func (p *reader) left(i, hi int) (from, to int) {
	switch {
	case p.is(i, "from") && p.changes(i):
		if end := p.until(i+1, hi, "to", "into", "onto"); end < hi {
			return i + 1, end
		}
	case p.is(i, "off", "from") && p.changes(i):
		return i + 1, p.phraseEnd(i+1, hi)
	case p.is(i, "out") && p.is(i+1, "of") && p.changes(i):
		return i + 2, p.phraseEnd(i+2, hi)
	case p.is(i, "replaced", "replaces", "replacing"):
		if end := p.until(i+1, hi, "with", "by"); end < hi {
			return i + 1, end
		}
		return i + 1, p.phraseEnd(i+1, hi)
	}
	return i, i
}

// changes reports a word of change within a few tokens before i.
func (p *reader) changes(i int) bool {
	for j := i - 1; j >= 0 && j > i-7; j-- {
		if p.toks[j].kind == word && lookUp(p.toks[j].low).traits&changing != 0 {
			return true
		}
	}
	return false
}

// phraseEnd returns the token at which a phrase from i ends, after a few words.
func (p *reader) phraseEnd(i, hi int) int {
	end := i
	for end < hi && end-i < 5 && (p.toks[end].kind != symbol || end == i) && !(end > i && p.has(end, prep|conj|be|aux|starts|when)) {
		end++
	}
	return end
}

// until returns the token with one of the words, or hi if it is not near.
func (p *reader) until(i, hi int, words ...string) int {
	for end := i; end < hi && end-i < 7; end++ {
		if p.is(end, words...) {
			return end
		}
	}
	return hi
}
