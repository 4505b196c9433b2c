package entity

import "engram/detect/lexicon"

// pairs joins neighbouring values that belong together.
//
//  1. A change: bumped from 30 to 60 seconds. The first is the old value.
//  2. A range: 10-20 ms, between 10 and 20, from 1 to 5. At least and at most.
//
// The unit of the second holds for a first without one.
func (p *Parser) pairs() {
	for k := 0; k+1 < len(p.Values); k++ {
		a, b := &p.Values[k], &p.Values[k+1]
		if a.Type != b.Type || a.Type == Date || a.Type == State || b.First-a.Last > 3 {
			continue
		}
		between := a.Last + 1
		from := p.Is(a.Left-1, "from", "between")
		joined := between < b.First && p.Is(between, "to", "->", "-", "and") && (b.Left == between+1 || b.Left == between)
		switch {
		case !joined || p.Is(between, "and") && !p.Is(a.Left-1, "between"):
			continue
		case p.Is(between, "->") || p.Is(between, "to") && p.Changed(a.Left-1):
			a.Old, b.Old = true, false
		case p.Is(between, "to") && !from && a.Unit == "count" && b.Unit == "count" && a.Type == Number && p.Is(a.Left-1, "set"):
			continue
		case p.Is(between, "-") && (a.Type != Number || b.Value < a.Value):
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
			a.Left--
		}
		b.Left = a.Left
	}
}

// Changed reports a verb of change within five tokens up to i.
func (p *Parser) Changed(i int) bool {
	for j := i; j >= 0 && j > i-6; j-- {
		if p.Has(j, lexicon.Change) {
			return true
		}
	}
	return false
}

// scaleOf returns what the unit of a number multiplies its literal by.
func (p *Parser) scaleOf(v *value) float64 {
	if amount, _ := p.amount(v.First); amount != 0 {
		return v.Value / amount
	}
	return 1
}
