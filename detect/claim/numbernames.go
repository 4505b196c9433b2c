package claim

import "engram/detect/entity"

// nameNext reads the number behind term i as a name, where i stands between the
// numbers of two things of one sort, the second without a noun of its own:
// migration 41 runs before 42. It reports whether it is one.
func (p *reader) nameNext(r *Reading, i, from int) bool {
	t := &r.Terms[i+1]
	v := &p.Values[t.ValueIndex-1]
	if v.Type != entity.Number || v.Unit != "count" || p.NounFollows(v.Last) || r.Number(from, i) < 0 {
		return false
	}
	v.Type, t.ValueIndex, t.Weight = "", 0, nameWeight
	return true
}

// Number returns the first number among some terms that is a name, or -1.
func (r *Reading) Number(from, to int) int {
	for i := from; i < to; i++ {
		if t := &r.Terms[i]; t.Role&Numeric != 0 && t.ValueIndex == 0 {
			return i
		}
	}
	return -1
}
