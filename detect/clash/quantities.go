package clash

import (
	"engram/detect/frame"
	"engram/detect/lexicon"
	"engram/detect/quantity"
)

// quantities proposes quantities of one dimension that differ. A quantity that the other
// claim gives too does not clash, unless one of the two tells of a change.
func (p *pair) quantities() {
	toldA, toldB := told(p.a, p.b), told(p.b, p.a)
	for i := range p.a.Quantities {
		if toldA[i] == asIs {
			p.equal++
		}
		for j := range p.b.Quantities {
			q, r, ok := quantity.Align(p.a.Quantities[i], p.b.Quantities[j])
			if !ok || q.Equal(&r) || toldA[i] == asIs && toldB[j] != untold || toldB[j] == asIs && toldA[i] != untold {
				continue
			}
			c := candidate{family: familyOf(&q, &r), a: span{q.From, q.To}, b: span{r.From, r.To}, told: toldA[i] == asIs || toldB[j] == asIs}
			c.extra = when(toldA[i] == asPast || toldB[j] == asPast)
			if p.otherThing(c) || c.told && !p.a.changes(c.a) && !p.b.changes(c.b) {
				continue // the other agrees, and says something else as well
			}
			p.propose(c)
		}
	}
}

// otherThing reports quantities of other things: a duration beside a period, and what is
// only about equal.
func (p *pair) otherThing(c candidate) bool {
	q, r := p.a.valueOf(c.a), p.b.valueOf(c.b)
	switch {
	case q.Dim == quantity.Time && r.Dim == quantity.Period:
		return !p.a.periodic(c.a)
	case q.Dim == quantity.Period && r.Dim == quantity.Time:
		return !p.b.periodic(c.b)
	}
	return (q.Bound == quantity.About || r.Bound == quantity.About) && q.Overlaps(r)
}

// periodic reports words that make a duration a period: an interval of 5 minutes.
func (s side) periodic(at span) bool {
	for _, w := range [...]string{"interval", "intervals", "between", "period", "cadence", "frequency", "apart", "once", "each", "hourly", "poll", "polls"} {
		if s.Has(w, at.from-8, at.to+4) {
			return true
		}
	}
	return false
}

// tense says how a claim gives a value of the other one.
type tense uint8

const (
	untold tense = iota
	asPast       // as what was before, or what is not so
	asIs
)

// told tells which quantities of a claim the other one gives, and how.
func told(s, other side) []tense {
	list := make([]tense, len(s.Quantities))
	for i := range s.Quantities {
		for j := range other.Quantities {
			q, r, ok := quantity.Align(s.Quantities[i], other.Quantities[j])
			switch {
			case !ok || !q.Equal(&r):
			case other.past(span{r.From, r.To}):
				list[i] = max(list[i], asPast)
			default:
				list[i] = asIs
			}
		}
	}
	return list
}

// past reports a value that is said to have been before, or not to be so: "was 20",
// "isn't 20 any more", "instead of 20", "20 is closed", "from 20 to 50".
func (s side) past(at span) bool {
	for i := max(at.from-5, 0); i < at.from; i++ {
		switch s.Lower(i) {
		case "was", "were", "formerly", "previously", "old", "former", "instead", "not", "isn't", "aren't", "wasn't", "never", "forget", "until", "till", "used", "from", "than", "nothing", "earlier":
			if !s.Has(",", i, at.from) && !s.Has(".", i, at.from) && !s.Has(";", i, at.from) && (s.Lower(i) != "than" || s.Lower(i-1) == "rather") && (s.Lower(i) != "from" || s.Has("to", at.to, at.to+3)) {
				return true
			}
		}
	}
	for i := at.to; i < min(at.to+6, len(s.Tokens)) && s.Tokens[i].Lower != "." && s.Tokens[i].Lower != ","; i++ {
		switch s.Lower(i) {
		case "anymore", "longer", "closed", "free", "gone", "previously", "formerly", "before", "off", "taken", "retired":
			return true
		case "any":
			return s.Lower(i+1) == "more"
		}
	}
	return false
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
