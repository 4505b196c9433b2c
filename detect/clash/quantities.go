package clash

import (
	"engram/detect/frame"
	"engram/detect/lexicon"
	"engram/detect/quantity"
)

// quantities proposes quantities of one dimension that differ. What the other claim
// gives too is no clash, unless it gives something else as well, as what holds now.
func (p *pair) quantities() {
	toldA, toldB := told(p.a, p.b), told(p.b, p.a)
	for i := range p.a.Quantities {
		if toldA[i] {
			p.equal++
		}
		for j := range p.b.Quantities {
			q, r := &p.a.Quantities[i], &p.b.Quantities[j]
			if !q.Comparable(r) || q.Equal(r) || toldA[i] && toldB[j] {
				continue
			}
			c := candidate{family: familyOf(q, r), a: span{q.From, q.To}, b: span{r.From, r.To}, told: toldA[i] || toldB[j]}
			if p.otherThing(c) || c.told && !p.a.changes(c.a) && !p.b.changes(c.b) {
				continue // the other agrees, and says something else as well
			}
			p.propose(c)
		}
	}
}

// otherThing reports quantities of other things: counts of other nouns, a duration
// beside a period, and what is only about equal.
func (p *pair) otherThing(c candidate) bool {
	q, r := p.a.valueOf(c.a), p.b.valueOf(c.b)
	switch {
	case q.Dim == quantity.Time && r.Dim == quantity.Period:
		return !p.a.periodic(c.a)
	case q.Dim == quantity.Period && r.Dim == quantity.Time:
		return !p.b.periodic(c.b)
	case (q.Bound == quantity.About || r.Bound == quantity.About) && q.Overlaps(r):
		return true
	case c.family != Number:
		return false
	}
	i, j := p.a.counted(c.a), p.b.counted(c.b)
	return i >= 0 && j >= 0 && strength(&p.a.Tokens[i], &p.b.Tokens[j]) == 0
}

// periodic reports words that make a duration a period: an interval of 5 minutes.
func (s side) periodic(at span) bool {
	for _, w := range [...]string{"interval", "intervals", "period", "cadence", "frequency", "apart", "once", "each", "hourly", "poll", "polls"} {
		if s.Has(w, at.from-8, at.to+4) {
			return true
		}
	}
	return false
}

// told tells which quantities of a claim the other one gives.
func told(s, other side) []bool {
	list := make([]bool, len(s.Quantities))
	for i := range s.Quantities {
		for j := range other.Quantities {
			list[i] = list[i] || s.Quantities[i].Comparable(&other.Quantities[j]) && s.Quantities[i].Equal(&other.Quantities[j])
		}
	}
	return list
}

func familyOf(q, r *quantity.Quantity) Family {
	if q.Dim != r.Dim && q.Dim == quantity.Count {
		q = r
	}
	switch q.Dim {
	case quantity.Count:
		return Number
	case quantity.Share:
		return Share
	case quantity.Port:
		return Port
	case quantity.Version:
		return Version
	case quantity.Clock, quantity.Date, quantity.Weekday:
		return Calendar
	}
	return Measure
}

// valueOf returns the quantity of a span, nil without one.
func (s side) valueOf(at span) *quantity.Quantity {
	if at.from < len(s.Tokens) {
		if v := s.Tokens[at.from].Value; v > 0 {
			return &s.Quantities[v-1]
		}
	}
	return nil
}

// counted returns the token that says what a quantity counts: the next word of weight
// behind it, in the same clause; -1 without one.
func (s side) counted(at span) int {
	for i := at.to; i < min(at.to+4, len(s.Tokens)); i++ {
		t := &s.Tokens[i]
		switch {
		case t.Form == quantity.Symbol && t.Lower != "-":
			return -1
		case t.Value > 0 || t.Lower == "per" || t.Lower == "and" || t.Lower == "or" || t.Lower == "in" || t.Lower == "for" || t.Lower == "on":
			return -1
		case t.Role&frame.Content != 0 && (t.Part&lexicon.Common == 0 || len(t.Topics) > 0):
			return i
		}
	}
	return -1
}
