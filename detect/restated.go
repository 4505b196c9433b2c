package detect

// restated reports that one of several values of a claim agrees with value e of
// the other: of "8443 and 9443" the first with 8443, of "25 MB for v2 and 10 MB
// otherwise" the second with 10 MB. What else the claim has is then of something
// that the other does not speak of.
func (c side) restated(slot, e *Entity) bool {
	for i := range c.Entities {
		v := &c.Entities[i]
		switch {
		case v == slot || v.Type != e.Type || v.Unit != e.Unit || v.Old || v.Negated != e.Negated:
		case v.Name != slot.Name && v.Name != "" && !c.listed(slot, v):
		case v.Text == e.Text && v.Value == e.Value || v.Type == Number && alike(*v, *e):
			return true
		}
	}
	return false
}

// listed reports two values of one list: a conjunction between them, and no verb or
// other measure, as in "30 s for reads and 60 s for writes".
func (c side) listed(v, w *Entity) bool {
	if v.Start > w.Start {
		v, w = w, v
	}
	joined := false
	for i := c.read.at(v.End); i < len(c.read.terms) && c.read.terms[i].end <= w.Start; i++ {
		t := &c.read.terms[i]
		class := classify(t.low)
		if class&(be|have|sets|aux|change) != 0 || t.traits&quantity != 0 {
			return false
		}
		joined = joined || class&conj != 0
	}
	return joined
}

// outdated reports that the clause around a place of c, which speaks of a change,
// names what was before, and that this is not what the other claim has: a limit that
// was raised from 30 to 60 was not raised from the 90 of the other.
func (c side) outdated(at Place, other side, is Place) bool {
	x := c.read.clauseOf(c.read.at(at.Start))
	found := false
	for i := x.from; i < x.to; i++ {
		t := &c.read.terms[i]
		if t.role&past == 0 || !c.read.tells(i) {
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
func (c side) sameAt(i int, other side, is Place) bool {
	t := &c.read.terms[i]
	for j := range other.read.terms {
		u := &other.read.terms[j]
		if u.end <= is.Start || u.start >= is.End {
			continue
		}
		if t.id == u.id {
			return true
		}
		if t.value > 0 && u.value > 0 {
			v, w := &c.read.values[t.value-1], &other.read.values[u.value-1]
			if v.Type == w.Type && v.Value == w.Value && v.Text == w.Text {
				return true
			}
		}
	}
	return false
}
