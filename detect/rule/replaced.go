package rule

import (
	"strings"

	"engram/detect/claim"
	"engram/detect/lexicon"
)

// holds reports whether term i stands where one thing only can stand: behind
// "is" or a word for what has one value, or behind a preposition that belongs to
// a word such as stored, written, owned, set or named.
func (c side) holds(i int) bool {
	terms := c.Terms
	if i+1 < len(terms) && (terms[i+1].Role&claim.StopWord == 0 && terms[i+1].Start-terms[i].End < 2) {
		return false
	}
	j := i - 1
	for j > 0 && (c.word(&terms[j]) == "the" || c.word(&terms[j]) == "a") {
		j--
	}
	switch c.word(&terms[j]) {
	case "is", "are":
		return true
	case "to", "by", "in", "on", "at", "as", "under", "with":
		for k := j - 1; k >= 0 && k >= j-4; k-- {
			if terms[k].Traits&lexicon.Relation != 0 {
				return true
			}
		}
		return false
	}
	return terms[j].Traits&lexicon.SingleValued != 0
}

// numbered reports two names that differ in a number alone: libcudnn8 and
// libcudnn9.
func (p *pair) numbered(u, v *claim.Term) bool {
	x, y := p.a.word(u), p.b.word(v)
	const figures = "0123456789"
	return u.Role&v.Role&claim.Named != 0 && len(x) > 3 && strings.ContainsAny(x, figures) && strings.ContainsAny(y, figures) &&
		strings.EqualFold(strings.Trim(x, figures), strings.Trim(y, figures))
}

// denials counts the denials among some terms.
func denials(terms []claim.Term) (n int) {
	for i := range terms {
		if terms[i].Role&claim.Denial != 0 {
			n++
		}
	}
	return n
}

// negated reports whether some terms deny, of "not" and words such as optional.
func negated(terms []claim.Term) bool {
	n := denials(terms)
	for i := range terms {
		if terms[i].Pole < 0 {
			n++
		}
	}
	return n%2 == 1
}

// bare reports terms that say nothing but whether something is so.
func bare(terms []claim.Term) bool {
	for i := range terms {
		t := &terms[i]
		if t.Role&(claim.StopWord|claim.Denial) == 0 && t.Pole == 0 && (t.Weight > claim.WeakWeight || t.Traits&(lexicon.Weak|lexicon.Contrast) != lexicon.Weak) {
			return false
		}
	}
	return true
}

// solid returns the only term that says something, or -1.
func solid(terms []claim.Term) int {
	at := -1
	for i := range terms {
		if t := &terms[i]; t.Role&claim.StopWord == 0 {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}
