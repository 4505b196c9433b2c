package detect

import "strings"

// addClause adds the clause on tokens lo to hi, whose terms are read already.
func (p *reader) addClause(r *reading, lo, hi int, first []int) {
	c := clause{to: len(r.terms)}
	if n := len(r.clauses); n > 0 {
		c.from = r.clauses[n-1].to
	}
	if c.from == c.to {
		return
	}
	first[hi] = c.to
	p.shadows(r.terms, lo, hi, first)
	c.verb = c.from
	if i := p.link(r.terms, lo, hi, first); i < hi {
		c.verb = max(min(first[i], c.to-1), c.from)
	}
	for i := c.from; i < c.verb; i++ {
		r.terms[i].role |= topic
	}
	c.given = conditionsOf(p.given(lo, hi))
	c.conditions = append(conditionsOf(p.conditionsIn(lo, hi)), c.given...)
	c.idle = p.idle(lo, hi)
	if n := len(r.clauses); n > 0 && !p.is(lo-1, ".", ";", "!", "?") {
		c.inherit(&r.clauses[n-1])
	}
	for i := lo; i < hi; i++ {
		c.reserved = c.reserved || p.is(i, "unless", "until", "except") || p.is(i, "only") && p.has(i+1, when)
	}
	for i := c.from; i < c.to; i++ {
		c.reserved = c.reserved || i < c.verb && r.terms[i].role&denial != 0 && p.text[r.terms[i].start:r.terms[i].end] == "without"
		c.count(&r.terms[i], p)
		if r.terms[i].traits&ordering != 0 && (i+1 == c.to || r.terms[i+1].value == 0 || p.nameNext(r, i, c.from)) { // not "after 30 days"
			c.signs |= hasOrder
		}
	}
	c.open = c.open && !c.only
	r.clauses = append(r.clauses, c)
}

// inherit takes over from the clause before, in one sentence, what it supposes.
func (c *clause) inherit(before *clause) {
	c.idle = c.idle || before.idle
	for _, d := range before.conditions {
		if strings.HasPrefix(d.text, "when ") {
			c.conditions = append(c.conditions, d)
		}
	}
}

// link returns the token that links the subject of a clause to the rest, or hi.
func (p *reader) link(terms []term, lo, hi int, first []int) int {
	for i := lo; i < hi; i++ {
		t := &p.toks[i]
		switch {
		case t.low == ":" || t.low == "=":
			return i
		case t.kind == symbol:
		case t.class&(be|have|sets|aux|change) != 0, i > lo && t.mention == "" && terms[first[i]].traits&relation != 0:
			return i
		}
	}
	return hi
}

// count adds what a term gives the clause.
func (c *clause) count(t *term, p *reader) {
	switch {
	case t.role&past != 0:
		c.signs |= hasChange
	case t.role&shadow != 0:
	case t.role&denial != 0 && p.bounds(t):
		t.role = glue
	case t.role&denial != 0 && p.excludesOthers(t):
		t.role, c.only = glue, true
	case t.role&denial != 0:
		c.denials++
		c.signs |= hasDenial | signsOf(t)
	default:
		c.signs |= signsOf(t)
		c.open = c.open || t.traits&open != 0
		c.only = c.only || p.isOnly(t)
	}
	c.dismisses = c.denials%2 == 1 || c.dismisses || t.traits&dismissing != 0
}

// excludesOthers reports a denial of all but what was named: no other, nothing
// else, no second.
func (p *reader) excludesOthers(t *term) bool {
	rest := p.low[t.end:]
	for _, w := range [...]string{" other", " second", " else", " one else"} {
		if strings.HasPrefix(rest, w) && !isLetter(p.at(t.end+len(w))) {
			return true
		}
	}
	return false
}

// isOnly reports a word that leaves no room for others: only, sole, "the one".
func (p *reader) isOnly(t *term) bool {
	switch p.low[t.start:t.end] {
	case "only", "sole", "solely", "exclusively":
		return p.at(t.start-1) != '-'
	case "one":
		return strings.HasSuffix(p.low[:t.start], "the ")
	}
	return false
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
	if t.value > 0 || t.role&(literal|figure|named) != 0 {
		s |= hasValue
	}
	return s
}

// bounds reports whether a denial only belongs to a bound: "no more than 5".
func (p *reader) bounds(t *term) bool {
	for k := range p.vals {
		v := &p.vals[k]
		if v.Bound != Exactly && p.toks[v.left].start <= t.start && t.start < v.Start {
			return true
		}
	}
	return false
}

// stated gathers the values with the terms around them: those between it and
// the values of its type before and behind it.
func (p *reader) stated(r *reading, first []int) {
	for k := range p.vals {
		v := &p.vals[k]
		if p.timesOnly(k) {
			v.Type = Number
		}
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
		s.conditions = append(conditionsOf(strings.Split(v.Condition, "; ")), c.given...)
		r.values = append(r.values, s)
	}
	p.moreValues(r, first)
}
