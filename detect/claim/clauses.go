package claim

import (
	"strings"

	"engram/detect/entity"
	"engram/detect/lexicon"
)

// addClause adds the clause on tokens lo to hi, whose terms are read already.
func (p *reader) addClause(r *Reading, lo, hi int, first []int) {
	c := Clause{To: len(r.Terms)}
	if n := len(r.Clauses); n > 0 {
		c.From = r.Clauses[n-1].To
	}
	if c.From == c.To {
		return
	}
	first[hi] = c.To
	p.shadows(r.Terms, lo, hi, first)
	c.Verb = c.From
	if i := p.link(r.Terms, lo, hi, first); i < hi {
		c.Verb = max(min(first[i], c.To-1), c.From)
	}
	for i := c.From; i < c.Verb; i++ {
		r.Terms[i].Role |= Topic
	}
	c.given = conditionsOf(p.given(lo, hi))
	c.Conditions = append(conditionsOf(p.ConditionsIn(lo, hi)), c.given...)
	c.AssertsNothing = p.idle(lo, hi)
	if n := len(r.Clauses); n > 0 && !p.Is(lo-1, ".", ";", "!", "?") {
		c.inherit(&r.Clauses[n-1])
	}
	for i := lo; i < hi; i++ {
		c.Provisional = c.Provisional || p.Is(i, "unless", "until", "except") || p.Is(i, "only") && p.Has(i+1, lexicon.When)
	}
	for i := c.From; i < c.To; i++ {
		c.Provisional = c.Provisional || i < c.Verb && r.Terms[i].Role&Denial != 0 && p.Text[r.Terms[i].Start:r.Terms[i].End] == "without"
		c.count(&r.Terms[i], p)
		if r.Terms[i].Traits&lexicon.Ordering != 0 && (i+1 == c.To || r.Terms[i+1].ValueIndex == 0 || p.nameNext(r, i, c.From)) { // not "after 30 days"
			c.Features |= HasOrder
		}
	}
	c.OpenEnded = c.OpenEnded && !c.Exclusive
	r.Clauses = append(r.Clauses, c)
}

// inherit takes over from the clause before, in one sentence, what it supposes.
func (c *Clause) inherit(before *Clause) {
	c.AssertsNothing = c.AssertsNothing || before.AssertsNothing
	for _, d := range before.Conditions {
		if strings.HasPrefix(d.Text, "when ") {
			c.Conditions = append(c.Conditions, d)
		}
	}
}

// link returns the token that links the subject of a clause to the rest, or hi.
func (p *reader) link(terms []Term, lo, hi int, first []int) int {
	for i := lo; i < hi; i++ {
		t := &p.Tokens[i]
		switch {
		case t.Lower == ":" || t.Lower == "=":
			return i
		case t.Kind == entity.Symbol:
		case t.Class&(lexicon.Copula|lexicon.Have|lexicon.Sets|lexicon.Aux|lexicon.Change) != 0, i > lo && t.Mention == "" && terms[first[i]].Traits&lexicon.Relation != 0:
			return i
		}
	}
	return hi
}

// count adds what a term gives the clause.
func (c *Clause) count(t *Term, p *reader) {
	switch {
	case t.Role&Past != 0:
		c.Features |= HasChange
	case t.Role&Unasserted != 0:
	case t.Role&Denial != 0 && p.bounds(t):
		t.Role = StopWord
	case t.Role&Denial != 0 && p.excludesOthers(t):
		t.Role, c.Exclusive = StopWord, true
	case t.Role&Denial != 0:
		c.Denials++
		c.Features |= HasDenial | signsOf(t)
	default:
		c.Features |= signsOf(t)
		c.OpenEnded = c.OpenEnded || t.Traits&lexicon.OpenEnded != 0
		c.Exclusive = c.Exclusive || p.isOnly(t)
	}
	c.Dismisses = c.Denials%2 == 1 || c.Dismisses || t.Traits&lexicon.Dismissing != 0
}

// excludesOthers reports a denial of all but what was named: no other, nothing
// else, no second.
func (p *reader) excludesOthers(t *Term) bool {
	rest := p.Lower[t.End:]
	for _, w := range [...]string{" other", " second", " else", " one else"} {
		if strings.HasPrefix(rest, w) && !lexicon.IsLetter(p.At(t.End+len(w))) {
			return true
		}
	}
	return false
}

// isOnly reports a word that leaves no room for others: only, sole, "the one".
func (p *reader) isOnly(t *Term) bool {
	switch p.Lower[t.Start:t.End] {
	case "only", "sole", "solely", "exclusively":
		return p.At(t.Start-1) != '-'
	case "one":
		return strings.HasSuffix(p.Lower[:t.Start], "the ")
	}
	return false
}

// signsOf returns what one term gives rules to work with.
func signsOf(t *Term) (s Features) {
	if t.Pole != 0 {
		s |= HasOpposed
	}
	if t.Kinds != 0 {
		s |= HasKind
	}
	if t.Lifecycle != 0 {
		s |= HasStage
	}
	if t.Traits&lexicon.Changing != 0 {
		s |= HasChange
	}
	if t.Traits&lexicon.Universal != 0 {
		s |= HasUniversal
	}
	if t.ValueIndex > 0 || t.Role&(Literal|Numeric|Named) != 0 {
		s |= HasValue
	}
	return s
}

// bounds reports whether a denial only belongs to a bound: "no more than 5".
func (p *reader) bounds(t *Term) bool {
	for k := range p.Values {
		v := &p.Values[k]
		if v.Bound != entity.Exactly && p.Tokens[v.Left].Start <= t.Start && t.Start < v.Start {
			return true
		}
	}
	return false
}

// stated gathers the values with the terms around them: those between it and
// the values of its type before and behind it.
func (p *reader) stated(r *Reading, first []int) {
	for k := range p.Values {
		v := &p.Values[k]
		if p.timesOnly(k) {
			v.Type = entity.Number
		}
		s := Value{Entity: v.Entity, From: first[v.First], To: first[v.Last+1]}
		for s.Clause+1 < len(r.Clauses) && r.Clauses[s.Clause].To <= s.From {
			s.Clause++
		}
		c := &r.Clauses[s.Clause]
		s.Near, s.Far = c.From, c.To
		if k > 0 && p.Values[k-1].Type == v.Type && first[p.Values[k-1].First] >= c.From {
			s.Near = first[p.Between(k-1)]
		}
		if k+1 < len(p.Values) && p.Values[k+1].Type == v.Type && first[p.Values[k+1].First] < c.To {
			s.Far = first[p.Between(k)]
		}
		s.Conditions = append(conditionsOf(strings.Split(v.Condition, "; ")), c.given...)
		r.Values = append(r.Values, s)
	}
	p.moreValues(r, first)
}
