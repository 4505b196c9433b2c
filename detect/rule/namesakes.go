package rule

import (
	"slices"

	"engram/detect/claim"
	"engram/detect/entity"
	"engram/detect/lexicon"
)

// sameFullSubject reports that two clauses are about one thing by its full name: what
// stands before the verbs is the same, word for word. Words that say little will
// do within one scope; scopes apart need a name that means one thing anywhere.
func (p *pair) sameFullSubject(x, y *claim.Clause) bool {
	a, b := p.a.subjectWords(x), p.b.subjectWords(y)
	if len(a) == 0 || !slices.Equal(a, b) {
		return false
	}
	return p.scopes != elsewhere || p.ownSubject()
}

// subjectWords returns the meanings of the words before the verb of a clause,
// sorted, without those that say only how many are meant.
func (c side) subjectWords(x *claim.Clause) (ids []uint32) {
	for i := x.From; i < x.Verb; i++ {
		t := &c.Terms[i]
		if t.Role&(claim.StopWord|claim.Denial|claim.Unasserted) == 0 && t.Traits&lexicon.Universal == 0 {
			ids = append(ids, t.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// narrowed reports that what stands behind term i says for what part, place or
// purpose the clause holds, other than a time.
func (c side) narrowed(i int, x *claim.Clause) bool {
	for i++; i < x.To; i++ {
		switch c.Terms[i].Lower {
		case "for", "of", "on", "in", "under", "within", "from", "as", "with", "until":
			if i+1 < x.To && !c.timeAt(i+1) {
				return true
			}
		}
	}
	return false
}

// timeAt reports a term for a time: a date, a month, a quarter, a release.
func (c side) timeAt(i int) bool {
	t := &c.Terms[i]
	if t.ValueIndex > 0 {
		v := &c.Values[t.ValueIndex-1]
		return v.Type == entity.Date || v.Type == entity.Release
	}
	switch t.Lower {
	case "q1", "q2", "q3", "q4", "january", "february", "march", "april", "may", "june", "july", "august", "september",
		"october", "november", "december", "favour", "favor", "spring", "summer", "autumn", "winter":
		return true
	}
	return t.Role&claim.Numeric != 0
}
