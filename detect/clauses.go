package detect

import "strings"

// addClause adds the clause on tokens lo to hi, whose terms are read already.
func (p *parser) addClause(r *reading, lo, hi int, first []int) {
	c := clause{from: 0, to: len(r.terms)}
	if n := len(r.clauses); n > 0 {
		c.from = r.clauses[n-1].to
	}
	if c.from == c.to {
		return
	}
	c.verb = c.from
	first[hi] = c.to
	p.shadows(r.terms, lo, hi, first)
	for i := lo; i < hi; i++ {
		t := &p.toks[i]
		if t.kind != symbol && t.class&(be|have|sets|aux|change) != 0 || t.low == ":" || t.low == "=" {
			c.verb = max(min(first[i], c.to-1), c.from)
			break
		}
	}
	for i := c.from; i < c.to; i++ {
		t := &r.terms[i]
		if t.role&denial != 0 {
			if p.bounds(t) {
				t.role = glue
				continue
			}
			c.denials++
			c.signs |= hasDenial
		}
		if t.role&shadow != 0 {
			c.signs |= hasChange
			continue
		}
		c.signs |= signsOf(t)
		c.open = c.open || t.traits&open != 0
	}
	c.conditions = conditionsOf(p.conditionsIn(lo, hi))
	r.clauses = append(r.clauses, c)
}

// signsOf returns what one term gives rules to work with.
func signsOf(t *term) (s signs) {
	if t.opposed != 0 {
		s |= hasOpposed
	}
	if t.kinds != 0 {
		s |= hasKind
	}
	if t.life != 0 {
		s |= hasLife
	}
	if t.traits&changing != 0 {
		s |= hasChange
	}
	if t.traits&universal != 0 {
		s |= hasUniversal
	}
	if t.value > 0 || t.role&(literal|figure) != 0 {
		s |= hasValue
	}
	return s
}

// bounds reports whether a denial only belongs to a bound: "no more than 5".
func (p *parser) bounds(t *term) bool {
	for k := range p.vals {
		v := &p.vals[k]
		if v.Bound != Exactly && p.toks[v.left].start <= t.start && t.start < v.Start {
			return true
		}
	}
	return false
}

// shadows marks what the tokens from lo to hi only mention as not, or no longer,
// being so.
//
//  1. Excluded: instead of X, rather than X, unlike X, ", not X".
//  2. Former: values that are old; previously X, formerly X, used to X.
//  3. Left: moved from X to Y, replaced X by Y.
func (p *parser) shadows(terms []term, lo, hi int, first []int) {
	for i := lo; i < hi; i++ {
		t := &p.toks[i]
		from, to := 0, 0
		switch {
		case p.is(i, "instead") && p.is(i+1, "of"), p.is(i, "rather") && p.is(i+1, "than"):
			from, to = i+2, p.phraseEnd(i+2, hi)
		case p.is(i, "unlike"), t.class&former != 0 && p.is(i, "previously", "formerly"):
			from, to = i+1, p.phraseEnd(i+1, hi)
		case p.is(i, "not") && (p.is(i-1, ",", "and", "(") && i+1 < hi && !p.has(i+1, be|aux)):
			from, to = i, p.phraseEnd(i+1, hi)
		case p.is(i, "used") && p.is(i+1, "to"):
			from, to = i+2, hi
		case p.is(i, "from") && p.changed(i-1):
			if end := p.until(i+1, hi, "to", "into", "onto"); end < hi {
				from, to = i+1, end
			}
		case p.is(i, "replaced", "replaces", "replacing"):
			if end := p.until(i+1, hi, "with", "by"); end < hi {
				from, to = i+1, end
			}
		}
		if t.value > 0 && p.vals[t.value-1].Old {
			from, to = i, i+1
		}
		for j := first[min(from, hi)]; j < first[min(to, hi)]; j++ {
			terms[j].role |= shadow
		}
	}
}

// phraseEnd returns the token at which a phrase from i ends, after a few words.
func (p *parser) phraseEnd(i, hi int) int {
	end := i
	for end < hi && end-i < 5 && p.toks[end].kind != symbol && !(end > i && p.has(end, prep|conj|be|aux|starts|when)) {
		end++
	}
	return end
}

// until returns the token with one of the words, or hi if it is not near.
func (p *parser) until(i, hi int, words ...string) int {
	for end := i; end < hi && end-i < 7; end++ {
		if p.is(end, words...) {
			return end
		}
	}
	return hi
}

// stated gathers the values with the terms around them.
func (p *parser) stated(r *reading, first []int) {
	for k := range p.vals {
		v := &p.vals[k]
		s := stated{Entity: v.Entity, from: first[v.first], to: first[v.last+1]}
		for s.clause+1 < len(r.clauses) && r.clauses[s.clause].to <= s.from {
			s.clause++
		}
		c := &r.clauses[s.clause]
		s.near, s.far = c.from, c.to
		if k > 0 && p.vals[k-1].Type == v.Type && first[p.vals[k-1].first] >= c.from {
			s.near = first[p.between(k-1)]
		}
		if k+1 < len(p.vals) && p.vals[k+1].Type == v.Type && first[p.vals[k+1].first] < c.to {
			s.far = first[p.between(k)]
		}
		s.conditions = conditionsOf(strings.Split(v.Condition, "; "))
		r.values = append(r.values, s)
	}
}

// conditionsOf reads conditions as the extractor writes them. What holds by
// default holds where nothing else is said, so that is none.
func conditionsOf(texts []string) []condition {
	var list []condition
	for _, text := range texts {
		if text == "" || text == "default" {
			continue
		}
		c := condition{text: text}
		_, words, _ := strings.Cut(text, " ")
		for w := range strings.FieldsSeq(words) {
			c.ids = append(c.ids, lookUp(w).id)
		}
		list = append(list, c)
	}
	return list
}
