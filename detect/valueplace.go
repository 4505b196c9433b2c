package detect

// around returns what says what a value is of: the whole claim, or the words
// near it and the subject where there are several such values.
func (c side) around(v *stated) part {
	s := c.beyond(&v.Entity)
	s.without, s.bounds = span{v.from, v.to}, true
	if onlyOfType(&c.read, v) {
		return s
	}
	x := &c.read.clauses[v.clause]
	s.within, s.subject = span{v.near, v.far}, span{x.from, min(x.verb, v.near)}
	if s.subject.from >= s.subject.to {
		s.subject = c.subject(v.clause)
	}
	return s
}

// neighbours reports whether a word right before or behind one value stands near
// the other too.
func (p *pair) neighbours(v, w *stated) bool {
	for _, i := range p.a.beside(v) {
		if i < 0 {
			continue
		}
		for _, j := range p.b.beside(w) {
			if j >= 0 && p.a.read.terms[i].id == p.b.read.terms[j].id {
				return true
			}
		}
	}
	return false
}

// beside returns up to three terms that say something on each side of a value;
// -1 where there are fewer.
func (c side) beside(v *stated) (terms [6]int) {
	n := 0
	for i := v.from - 1; i >= v.near && n < 3; i-- {
		if t := &c.read.terms[i]; t.role&glue == 0 {
			terms[n] = i
			n++
		}
	}
	left := n
	for i := v.to; i < v.far && n < left+3; i++ {
		if t := &c.read.terms[i]; t.role&glue == 0 {
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
func onlyOfType(r *reading, v *stated) bool {
	for i := range r.values {
		if w := &r.values[i]; w.Type == v.Type && w.Unit == v.Unit && w.Start != v.Start && !w.Old && !generation(w.Entity) {
			return false
		}
	}
	return true
}
