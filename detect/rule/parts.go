package rule

import (
	"engram/detect/entity"
	"engram/detect/finding"
)

// part is what a rule compares of a claim: a clause, or the stretch around a
// value, without the terms that the rule is about.
type part struct {
	claim    side
	within   span
	subject  span // what stands before the verb, where within does not have it
	without  span
	figures  bool        // other numbers count too: they tell things apart
	sameType entity.Type // numbers of this type do not
	bounds   bool        // words such as limit only say how the value is meant
}

// clausePart is a clause, with what it may be about.
func (c side) clausePart(i int) part {
	x := &c.Clauses[i]
	return part{claim: c, within: span{x.From, x.To}, subject: c.subjectOf(i), figures: true}
}

// subjectOf is what stands before the verb of the first clause: a later one may
// speak of it without naming it.
func (c side) subjectOf(clause int) span {
	if clause == 0 {
		return span{}
	}
	switch x, before := &c.Clauses[clause], &c.Clauses[clause-1]; c.Terms[x.From].Lower {
	case "they", "it", "since", "as", "which":
		return span{before.From, before.To}
	}
	return span{c.Clauses[0].From, c.Clauses[0].Verb}
}

// placeOf returns where term i stands, and all of the value that it is part of.
func (c side) placeOf(i int) finding.Place {
	t := &c.Terms[i]
	if t.ValueIndex > 0 {
		v := &c.Values[t.ValueIndex-1]
		return placeAt(v.Start, v.End)
	}
	return placeAt(t.Start, t.End)
}

// whole is all of a claim.
func (c side) whole() part { return c.partOf(span{0, len(c.Terms)}) }

// all is where all of a claim stands.
func (c side) all() finding.Place { return c.place(span{0, len(c.Terms)}) }

// partOf is the terms of a span.
func (c side) partOf(s span) part { return part{claim: c, within: s, subject: span{s.from, s.from}} }

// placeAt is the place of some bytes.
func placeAt(start, end int) finding.Place { return finding.Place{Start: start, End: end} }

// place returns where some terms stand; of none, where they would.
func (c side) place(s span) finding.Place {
	if s.from == s.to {
		if s.from == 0 {
			return finding.Place{}
		}
		end := c.Terms[s.from-1].End
		return placeAt(end, end)
	}
	return placeAt(c.Terms[s.from].Start, c.Terms[s.to-1].End)
}

// beyond is what a claim says beside a value.
func (c side) beyond(e *entity.Entity) part {
	s := c.whole()
	s.without = span{c.At(e.Start), c.At(e.End)}
	s.figures, s.sameType = true, e.Type
	return s
}
