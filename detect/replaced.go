package detect

import "strings"

// holds reports whether term i stands where one thing only can stand: behind
// "is" or a word for what has one value, or behind a preposition that belongs to
// a word such as stored, written, owned, set or named.
func (c side) holds(i int) bool {
	terms := c.read.terms
	if i+1 < len(terms) && (terms[i+1].role&glue == 0 && terms[i+1].start-terms[i].end < 2) {
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
			if terms[k].traits&relation != 0 {
				return true
			}
		}
		return false
	}
	return terms[j].traits&single != 0
}

// numbered reports two names that differ in a number alone: libcudnn8 and
// libcudnn9.
func (p *pair) numbered(u, v *term) bool {
	x, y := p.a.word(u), p.b.word(v)
	const figures = "0123456789"
	return u.role&v.role&named != 0 && len(x) > 3 && strings.ContainsAny(x, figures) && strings.ContainsAny(y, figures) &&
		strings.EqualFold(strings.Trim(x, figures), strings.Trim(y, figures))
}

// denials counts the denials among some terms.
func denials(terms []term) (n int) {
	for i := range terms {
		if terms[i].role&denial != 0 {
			n++
		}
	}
	return n
}

// negated reports whether some terms deny, of "not" and words such as optional.
func negated(terms []term) bool {
	n := denials(terms)
	for i := range terms {
		if terms[i].opposed < 0 {
			n++
		}
	}
	return n%2 == 1
}

// bare reports terms that say nothing but whether something is so.
func bare(terms []term) bool {
	for i := range terms {
		t := &terms[i]
		if t.role&(glue|denial) == 0 && t.opposed == 0 && (t.weight > weakWeight || t.traits&(weak|contrast) != weak) {
			return false
		}
	}
	return true
}

// solid returns the only term that says something, or -1.
func solid(terms []term) int {
	at := -1
	for i := range terms {
		if t := &terms[i]; t.role&glue == 0 {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}
