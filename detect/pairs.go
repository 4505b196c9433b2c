package detect

// pairs joins neighbouring values that belong together.
//
//  1. A change: bumped from 30 to 60 seconds. The first is the old value.
//  2. A range: 10-20 ms, between 10 and 20, from 1 to 5. At least and at most.
//
// The unit of the second holds for a first without one.
func (p *parser) pairs() {
	for k := 0; k+1 < len(p.vals); k++ {
		a, b := &p.vals[k], &p.vals[k+1]
		if a.Type != b.Type || a.Type == Date || a.Type == State || b.first-a.last > 3 {
			continue
		}
		between := a.last + 1
		from := p.is(a.left-1, "from", "between")
		joined := between < b.first && p.is(between, "to", "->", "-", "and") && (b.left == between+1 || b.left == between)
		switch {
		case !joined || p.is(between, "and") && !p.is(a.left-1, "between"):
			continue
		case p.is(between, "->") || p.is(between, "to") && p.changed(a.left-1):
			a.Old, b.Old = true, false
		case p.is(between, "to") && !from && a.Unit == "count" && b.Unit == "count" && a.Type == Number && p.is(a.left-1, "set"):
			continue
		case p.is(between, "-") && (a.Type != Number || b.Value < a.Value):
			continue
		default:
			a.Bound, b.Bound = AtLeast, AtMost
		}
		if a.Type == Number && a.Unit == "count" && b.Unit != "count" {
			a.Value, a.Unit = round(a.Value*p.scaleOf(b)), b.Unit
		}
		if b.Type == Release && b.Name == "" {
			b.Name = a.Name
		}
		if from {
			a.left--
		}
		b.left = a.left
	}
}

// changed reports a verb of change within five tokens up to i.
func (p *parser) changed(i int) bool {
	for j := i; j >= 0 && j > i-6; j-- {
		if p.has(j, change) {
			return true
		}
	}
	return false
}

// scaleOf returns what the unit of a number multiplies its literal by.
func (p *parser) scaleOf(v *value) float64 {
	if amount, _ := p.amount(v.first); amount != 0 {
		return v.Value / amount
	}
	return 1
}
