package rule

import (
	"engram/detect/claim"
	"engram/detect/entity"
	"engram/detect/finding"
	"engram/detect/lexicon"
)

// restated reports that one of several values of a claim agrees with value e of
// the other: of "8443 and 9443" the first with 8443, of "25 MB for v2 and 10 MB
// otherwise" the second with 10 MB. What else the claim has is then of something
// that the other does not speak of.
func (c side) restated(slot, e *entity.Entity) bool {
	for i := range c.Entities {
		v := &c.Entities[i]
		switch {
		case v == slot || v.Type != e.Type || v.Unit != e.Unit || v.Old || v.Negated != e.Negated:
		case v.Name != slot.Name && v.Name != "" && !c.listed(slot, v):
		case v.Text == e.Text && v.Value == e.Value || v.Type == entity.Number && alike(*v, *e):
			return true
		}
	}
	return false
}

// listed reports two values of one list: a conjunction between them, and no verb or
// other measure, as in "30 s for reads and 60 s for writes".
func (c side) listed(v, w *entity.Entity) bool {
	if v.Start > w.Start {
		v, w = w, v
	}
	joined := false
	for i := c.At(v.End); i < len(c.Terms) && c.Terms[i].End <= w.Start; i++ {
		t := &c.Terms[i]
		class := lexicon.Classify(t.Lower)
		if class&(lexicon.Copula|lexicon.Have|lexicon.Sets|lexicon.Aux|lexicon.Change) != 0 || t.Traits&lexicon.Quantity != 0 {
			return false
		}
		joined = joined || class&lexicon.Conj != 0
	}
	return joined
}

// outdated reports that the clause around a place of c, which speaks of a change,
// names what was before, and that this is not what the other claim has: a limit that
// was raised from 30 to 60 was not raised from the 90 of the other.
func (c side) outdated(at finding.Place, other side, is finding.Place) bool {
	x := c.ClauseOf(c.At(at.Start))
	found := false
	for i := x.From; i < x.To; i++ {
		t := &c.Terms[i]
		if t.Role&claim.Past == 0 || !c.Identifies(i) {
			continue
		}
		if found = true; c.sameAt(i, other, is) {
			return false
		}
	}
	return found
}

// sameAt reports whether term i, or the value that it is part of, stands in a place
// of the other claim too.
func (c side) sameAt(i int, other side, is finding.Place) bool {
	t := &c.Terms[i]
	for j := range other.Terms {
		u := &other.Terms[j]
		if u.End <= is.Start || u.Start >= is.End {
			continue
		}
		if t.ID == u.ID {
			return true
		}
		if t.ValueIndex > 0 && u.ValueIndex > 0 {
			v, w := &c.Values[t.ValueIndex-1], &other.Values[u.ValueIndex-1]
			if v.Type == w.Type && v.Value == w.Value && v.Text == w.Text {
				return true
			}
		}
	}
	return false
}
