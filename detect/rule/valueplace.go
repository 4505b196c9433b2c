package rule

import "engram/detect/claim"

// around returns what says what a value is of: the whole claim, or the words
// near it and the subject where there are several such values.
func (c side) around(v *claim.Value) part {
	s := c.beyond(&v.Entity)
	s.without, s.bounds = span{v.From, v.To}, true
	if onlyOfType(&c.Reading, v) {
		return s
	}
	x := &c.Clauses[v.Clause]
	s.within, s.subject = span{v.Near, v.Far}, span{x.From, min(x.Verb, v.Near)}
	if s.subject.from >= s.subject.to {
		s.subject = c.subjectOf(v.Clause)
	}
	return s
}

// neighbours reports whether a word right before or behind one value stands near
// the other too.
func (p *pair) neighbours(v, w *claim.Value) bool {
	for _, i := range p.a.beside(v) {
		if i < 0 {
			continue
		}
		for _, j := range p.b.beside(w) {
			if j >= 0 && p.a.Terms[i].ID == p.b.Terms[j].ID {
				return true
			}
		}
	}
	return false
}

// beside returns up to three terms that say something on each side of a value;
// -1 where there are fewer.
func (c side) beside(v *claim.Value) (terms [6]int) {
	n := 0
	for i := v.From - 1; i >= v.Near && n < 3; i-- {
		if t := &c.Terms[i]; t.Role&claim.StopWord == 0 {
			terms[n] = i
			n++
		}
	}
	left := n
	for i := v.To; i < v.Far && n < left+3; i++ {
		if t := &c.Terms[i]; t.Role&claim.StopWord == 0 {
			terms[n] = i
			n++
		}
	}
	for ; n < len(terms); n++ {
		terms[n] = -1
	}
	return terms
}

// onlyOfType reports whether a claim has no other value of the type of v.
func onlyOfType(r *claim.Reading, v *claim.Value) bool {
	for i := range r.Values {
		if w := &r.Values[i]; w.Type == v.Type && w.Unit == v.Unit && w.Start != v.Start && !w.Old && !generation(w.Entity) {
			return false
		}
	}
	return true
}
