package detect

import "strings"

// choice finds two things of a kind in one place.
func (p *pair) choice(i, j int) (clash, bool) {
	x, y := &p.a.read.clauses[i], &p.b.read.clauses[j]
	if x.signs&y.signs&hasKind == 0 || x.open || y.open || x.denials+y.denials > 0 {
		return clash{}, false
	}
	for k := x.from; k < x.to; k++ {
		if !p.a.read.chosen(k, p.b) {
			continue
		}
		for l := y.from; l < y.to; l++ {
			t, u := &p.a.read.terms[k], &p.b.read.terms[l]
			kind := t.kinds & u.kinds
			if kind == 0 || kind == pathKind && p.overlap(t, u) || !p.b.read.chosen(l, p.a) || !p.a.read.alone(k, kind) || !p.b.read.alone(l, kind) {
				continue
			}
			if !p.together(beside(x.conditions, t.id), beside(y.conditions, u.id)) {
				continue
			}
			a, b := p.a.clausePart(i), p.b.clausePart(j)
			a.without, b.without = span{k, k + 1}, span{l, l + 1}
			g := agree(a, b)
			if p.sameThing(g) {
				return clash{rule: byChoice, a: Place{t.start, t.end}, b: Place{u.start, u.end}, what: kindName(kind), tier: TierEntity, unsure: g.unsure()}, true
			}
		}
	}
	return clash{}, false
}

// chosen reports whether term k is one of a kind that the other claim does not
// have as well.
func (r *reading) chosen(k int, other *Claim) bool {
	t := &r.terms[k]
	return t.kinds != 0 && t.value == 0 && t.role&shadow == 0 && other.read.find(t.id) < 0
}

// overlap reports paths of which one may be the end or the beginning of the
// other.
func (p *pair) overlap(t, u *term) bool {
	x, y := p.a.word(t), p.b.word(u)
	return strings.Contains(x, y) || strings.Contains(y, x) || x[strings.LastIndexByte(x, '/')+1:] == y[strings.LastIndexByte(y, '/')+1:]
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
