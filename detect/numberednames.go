package detect

// nameNext reads the number behind term i as a name, where i stands between the
// numbers of two things of one sort, the second without a noun of its own:
// migration 41 runs before 42. It reports whether it is one.
func (p *reader) nameNext(r *reading, i, from int) bool {
	t := &r.terms[i+1]
	v := &p.vals[t.value-1]
	if v.Type != Number || v.Unit != "count" || p.nounFollows(v.last) || r.number(from, i) < 0 {
		return false
	}
	v.Type, t.value, t.weight = "", 0, nameWeight
	return true
}

// number returns the first number among some terms that is a name, or -1.
func (r *reading) number(from, to int) int {
	for i := from; i < to; i++ {
		if t := &r.terms[i]; t.role&figure != 0 && t.value == 0 {
			return i
		}
	}
	return -1
}

// sameSort reports that what has a number for a name is of one sort in two claims,
// going by the word before the first of them; what has none is not compared.
func (p *pair) sameSort(x, y sequence) bool {
	i, j := p.a.read.number(x.first.from, x.first.to), p.b.read.number(y.first.from, y.first.to)
	if i < 0 || j < 0 {
		return true
	}
	return i > 0 && j > 0 && p.a.read.terms[i-1].id == p.b.read.terms[j-1].id
}
