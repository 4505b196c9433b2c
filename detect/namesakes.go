package detect

import "slices"

// namesakes reports that two clauses are about one thing by its full name: what
// stands before the verbs is the same, word for word. Words that say little will
// do within one scope; scopes apart need a name that means one thing anywhere.
func (p *pair) namesakes(x, y *clause) bool {
	a, b := p.a.subjectWords(x), p.b.subjectWords(y)
	if len(a) == 0 || !slices.Equal(a, b) {
		return false
	}
	return p.scopes != elsewhere || p.ownSubject()
}

// subjectWords returns the meanings of the words before the verb of a clause,
// sorted, without those that say only how many are meant.
func (c side) subjectWords(x *clause) (ids []uint32) {
	for i := x.from; i < x.verb; i++ {
		t := &c.read.terms[i]
		if t.role&(glue|denial|shadow) == 0 && t.traits&universal == 0 {
			ids = append(ids, t.id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// narrowed reports that what stands behind term i says for what part, place or
// purpose the clause holds, other than a time.
func (c side) narrowed(i int, x *clause) bool {
	for i++; i < x.to; i++ {
		switch c.read.terms[i].low {
		case "for", "of", "on", "in", "under", "within", "from", "as", "with", "until":
			if i+1 < x.to && !c.timeAt(i+1) {
				return true
			}
		}
	}
	return false
}

// timeAt reports a term for a time: a date, a month, a quarter, a release.
func (c side) timeAt(i int) bool {
	t := &c.read.terms[i]
	if t.value > 0 {
		v := &c.read.values[t.value-1]
		return v.Type == Date || v.Type == Release
	}
	switch t.low {
	case "q1", "q2", "q3", "q4", "january", "february", "march", "april", "may", "june", "july", "august", "september",
		"october", "november", "december", "favour", "favor", "spring", "summer", "autumn", "winter":
		return true
	}
	return t.role&figure != 0
}
