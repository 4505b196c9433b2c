package detect

// choice finds two things of a kind in one place.
func (p *pair) choice(i, j int) (clash, bool) {
	x, y := &p.a.read.clauses[i], &p.b.read.clauses[j]
	if x.signs&y.signs&hasKind == 0 || x.open || y.open || x.denials+y.denials > 0 {
		return clash{}, false
	}
	if !together(x.conditions, y.conditions, p) {
		return clash{}, false
	}
	for k := x.from; k < x.to; k++ {
		t := &p.a.read.terms[k]
		if t.kinds == 0 || t.role&shadow != 0 || p.b.read.mentions(t.id) {
			continue
		}
		for l := y.from; l < y.to; l++ {
			u := &p.b.read.terms[l]
			kind := t.kinds & u.kinds
			if kind == 0 || u.role&shadow != 0 || p.a.read.mentions(u.id) || !p.a.read.alone(k, kind) || !p.b.read.alone(l, kind) {
				continue
			}
			a, b := p.sides(i, j)
			a.without, b.without = span{k, k + 1}, span{l, l + 1}
			g := agree(a, b)
			debug(p, "choice", g)
			if p.sameThing(g) {
				return clash{rule: byChoice, a: Place{t.start, t.end}, b: Place{u.start, u.end}, what: kindName(kind), tier: TierEntity}, true
			}
		}
	}
	return clash{}, false
}

// mentions reports whether a term of this meaning stands anywhere in the claim.
func (r *reading) mentions(id uint32) bool {
	for i := range r.terms {
		if r.terms[i].id == id {
			return true
		}
	}
	return false
}

// alone reports whether term k is the only one of its kind in the claim.
func (r *reading) alone(k int, kind uint64) bool {
	for i := range r.terms {
		if t := &r.terms[i]; i != k && t.kinds&kind != 0 && t.id != r.terms[k].id && t.role&shadow == 0 {
			return false
		}
	}
	return true
}
