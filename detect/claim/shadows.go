package claim

import (
	"engram/detect/entity"
	"engram/detect/lexicon"
)

// shadows marks what the tokens from lo to hi only mention as not, or no longer,
// being so.
//
//  1. Excluded: instead of X, rather than X, unlike X, "not X" behind a comma.
//  2. Former: old values; previously X, former X, used to X, no longer X.
//  3. Left: moved from X to Y, moved off X, replaced X by Y.
func (p *reader) shadows(terms []Term, lo, hi int, first []int) {
	for i := lo; i < hi; i++ {
		from, to := p.excluded(i, hi)
		mark := Unasserted
		if from == to {
			from, to = p.former(i, hi)
			mark |= Past
		}
		if from == to {
			from, to = p.left(i, hi)
		}
		for j := first[min(from, hi)]; j < first[min(to, hi)]; j++ {
			terms[j].Role |= mark
		}
	}
}

// excluded is case 1 of shadows; the tokens are empty if it is not at i.
func (p *reader) excluded(i, hi int) (from, to int) {
	switch {
	case p.Is(i, "instead") && p.Is(i+1, "of"), p.Is(i, "rather") && p.Is(i+1, "than"):
		return i + 2, p.phraseEnd(i+2, hi)
	case p.Is(i, "unlike"):
		return i + 1, p.phraseEnd(i+1, hi)
	case p.Is(i, "not") && p.Is(i-1, ",", "and", "(", "but") && i+1 < hi && !p.Has(i+1, lexicon.Copula|lexicon.Aux):
		return i, p.phraseEnd(i+1, hi)
	}
	return i, i
}

// former is case 2 of shadows.
func (p *reader) former(i, hi int) (from, to int) {
	t := &p.Tokens[i]
	switch {
	case t.ValueIndex > 0 && p.Values[t.ValueIndex-1].Old:
		return i, i + 1
	case p.Is(i, "previously", "formerly", "former", "previous"):
		return i + 1, p.phraseEnd(i+1, hi)
	case p.Is(i, "used") && p.Is(i+1, "to"):
		return i + 2, hi
	case p.Is(i, "no") && p.Is(i+1, "longer") && (p.Is(i-1, "and", ",") || p.Is(i+2, "as", "in", "on", "the") || i+2 < hi && p.Tokens[i+2].Kind == entity.Digits):
		return i + 2, max(p.phraseEnd(i+2, hi), min(i+4, hi))
	}
	return i, i
}

// left is case 3 of shadows.
func (p *reader) left(i, hi int) (from, to int) {
	switch {
	case p.Is(i, "from") && p.changes(i):
		if end := p.until(i+1, hi, "to", "into", "onto"); end < hi {
			return i + 1, end
		}
	case p.Is(i, "off", "from") && p.changes(i):
		return i + 1, p.phraseEnd(i+1, hi)
	case p.Is(i, "out") && p.Is(i+1, "of") && p.changes(i):
		return i + 2, p.phraseEnd(i+2, hi)
	case p.Is(i, "replaced", "replaces", "replacing"):
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
		if p.Tokens[j].Kind == entity.Word && lexicon.LookUp(p.Tokens[j].Lower).Traits&lexicon.Changing != 0 {
			return true
		}
	}
	return false
}

// phraseEnd returns the token at which a phrase from i ends, after a few words.
func (p *reader) phraseEnd(i, hi int) int {
	end := i
	for end < hi && end-i < 5 && (p.Tokens[end].Kind != entity.Symbol || end == i) && !(end > i && p.Has(end, lexicon.Prep|lexicon.Conj|lexicon.Copula|lexicon.Aux|lexicon.ClauseStart|lexicon.When)) {
		end++
	}
	return end
}

// until returns the token with one of the words, or hi if it is not near.
func (p *reader) until(i, hi int, words ...string) int {
	for end := i; end < hi && end-i < 7; end++ {
		if p.Is(end, words...) {
			return end
		}
	}
	return hi
}
