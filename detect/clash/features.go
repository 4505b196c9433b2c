package clash

import (
	"math"
	"slices"

	"engram/detect/frame"
	"engram/detect/lexicon"
	"engram/detect/quantity"
)

// Features describe a candidate, one number each; featureNames has their names.
type Features []float32

// featureNames are those of the features, in their order: the families come first.
func featureNames() []string {
	var names []string
	for _, f := range families() {
		names = append(names, "family "+string(f))
	}
	return append(names,
		"coverage of the better covered claim", "coverage of the other", "weight of what both share",
		"coverage of clause, better", "coverage of clause, other",
		"coverage near the place, better", "coverage near the place, other", "weight of what both clauses share", "weight of what is shared near the place",
		"value by coverage", "value by coverage near", "word by coverage", "word by coverage of clause", "name by coverage", "name by coverage near",
		"subject shared by both", "subject shared by one",
		"unshared words of both clauses", "unshared words of one clause", "unshared names of both", "unshared names of one",
		"same noun counted", "other noun counted",
		"other circumstances", "one-sided circumstances", "one conditional", "both conditional",
		"bounds overlap", "one bounded", "both bounded alike", "about",
		"value by subject", "word by subject", "value by change", "told by change", "shared near by coverage",
		"value told by the other", "equal quantities", "no other quantities",
		"change told by one", "change told by both", "excluding", "excluding at both", "admitting", "admitting at both",
		"words around match", "extra of polarity", "extra of order", "extra of list", "extra of quantifier", "owner",
		"other families", "rule", "denied differently", "aside",
		"length of the shorter", "length of the longer",
	)
}

// describe appends the features of a candidate to f.
func (p *pair) describe(f Features, c candidate) Features {
	for _, family := range families() {
		f = append(f, when(c.family == family))
	}
	value, word, name := c.groups()
	all := p.covered(span{0, len(p.a.Tokens)}, span{0, len(p.b.Tokens)}, c)
	x, y := p.a.clauseOf(c.a), p.b.clauseOf(c.b)
	clause := p.covered(span{x.From, x.To}, span{y.From, y.To}, c)
	near := p.covered(around(c.a), around(c.b), c)
	f = append(f, all.better, all.other, logOf(all.shared), clause.better, clause.other, near.better, near.other, logOf(clause.shared), logOf(near.shared))
	f = append(f, value*all.better*all.other, value*near.better*near.other, word*all.better, word*clause.better*clause.other, name*all.better, name*near.better*near.other)
	a, b := p.a.subject(c.a), p.b.subject(c.b)
	f = append(f, min(a, b), max(a, b))
	unshared := p.unsharedOf(c)
	f = append(f, unshared[:]...)
	nouns := p.nouns(c)
	f = append(f, nouns[:]...)
	circumstances := p.circumstances(c)
	f = append(f, circumstances[:]...)
	bounds := p.bounds(c)
	f = append(f, bounds[:]...)
	changed := p.a.changes(c.a) != p.b.changes(c.b)
	f = append(f, value*min(a, b), (word+name)*min(a, b), value*when(changed), when(c.told && changed), near.shared*near.other)
	f = append(f, when(c.told), logOf(float32(p.equal)), when(len(p.a.Quantities)+len(p.b.Quantities) == 2))
	manners := p.manners(c)
	f = append(f, manners[:]...)
	f = append(f, p.wordsAround(c))
	for _, family := range [...]Family{Polarity, Order, List, Quantifier, Name} {
		f = append(f, when(c.family == family)*c.extra)
	}
	f = append(f, logOf(float32(p.others(c))), float32(p.known.Ruled), when(x.Denials%2 != y.Denials%2), when(x.Aside || y.Aside))
	return append(f, logOf(float32(min(len(p.a.Tokens), len(p.b.Tokens))))/4, logOf(float32(max(len(p.a.Tokens), len(p.b.Tokens))))/4)
}

func when(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func logOf(x float32) float32 { return float32(math.Log1p(float64(x))) }

// groups tells whether a candidate is about values, words or names.
func (c candidate) groups() (value, word, name float32) {
	switch c.family {
	case Number, Measure, Share, Port, Version, Calendar:
		return 1, 0, 0
	case Alternative, Identifier, Name, List:
		return 0, 0, 1
	}
	return 0, 1, 0
}

// coverage tells how much each of two parts has of the other claim.
type coverage struct{ better, other, shared float32 }

func (p *pair) covered(x, y span, c candidate) coverage {
	asideA, asideB := c.a, c.b
	if value, _, name := c.groups(); value+name == 0 {
		asideA, asideB = span{}, span{} // the words themselves are what is shared
	}
	a, weightA := p.a.coverage(x.from, x.to, asideA)
	b, weightB := p.b.coverage(y.from, y.to, asideB)
	return coverage{max(a, b), min(a, b), min(a*weightA, b*weightB)}
}

// nearby is how many tokens around a place are near it.
const nearby = 6

func around(s span) span { return span{s.from - nearby, s.to + nearby} }

// unsharedOf counts words of weight and names that the other claim has not.
func (p *pair) unsharedOf(c candidate) [4]float32 {
	wordsA, namesA := p.a.missing(c.a)
	wordsB, namesB := p.b.missing(c.b)
	return [...]float32{
		logOf(min(wordsA, wordsB)), logOf(max(wordsA, wordsB)), logOf(min(namesA, namesB)), logOf(max(namesA, namesB)),
	}
}

// missing sums the weight of the words of the clause of a place, and counts the names
// of the claim, that the other claim has not.
func (s side) missing(at span) (words, names float32) {
	c := s.clauseOf(at)
	for i := range s.Tokens {
		t := &s.Tokens[i]
		if i >= at.from && i < at.to && at.to-at.from < 4 || t.Value > 0 {
			continue
		}
		if i >= c.From && i < c.To {
			words += t.Weight * (1 - s.match[i])
		}
		if t.Role&frame.Name != 0 && s.match[i] == 0 {
			names++
		}
	}
	return words, names
}

// nouns tells whether what two quantities count is the same.
func (p *pair) nouns(c candidate) [2]float32 {
	if value, _, _ := c.groups(); value == 0 {
		return [2]float32{}
	}
	i, j := p.a.counted(c.a), p.b.counted(c.b)
	if i < 0 || j < 0 {
		return [2]float32{}
	}
	same := strength(&p.a.Tokens[i], &p.b.Tokens[j]) > 0
	return [...]float32{when(same), when(!same)}
}

// circumstances tells whether the claims speak of other cases.
func (p *pair) circumstances(c candidate) [4]float32 {
	both, one := p.caseOf(c)
	x, y := p.a.clauseOf(c.a).Conditional, p.b.clauseOf(c.b).Conditional
	return [...]float32{both, logOf(one), when(x != y), when(x && y)}
}

// bounds tells how two quantities bound what they are of.
func (p *pair) bounds(c candidate) [4]float32 {
	q, r := p.a.valueOf(c.a), p.b.valueOf(c.b)
	if value, _, _ := c.groups(); value == 0 || q == nil || r == nil {
		return [4]float32{}
	}
	bounded := func(q *quantity.Quantity) bool { return q.Bound == quantity.AtLeast || q.Bound == quantity.AtMost }
	return [...]float32{
		when(bounded(q) != bounded(r) && q.Overlaps(r)), when(bounded(q) != bounded(r)), when(bounded(q) && q.Bound == r.Bound),
		when(q.Bound == quantity.About || r.Bound == quantity.About),
	}
}

// manners tells of change and of whether there is room for others.
func (p *pair) manners(c candidate) [6]float32 {
	a, b := p.a.changes(c.a), p.b.changes(c.b)
	closedA, closedB := p.a.closed(c.a), p.b.closed(c.b)
	openA, openB := p.a.open(c.a), p.b.open(c.b)
	return [...]float32{
		when(a != b), when(a && b), when(closedA || closedB), when(closedA && closedB), when(openA || openB), when(openA && openB),
	}
}

// wordsAround tells whether the words right before and behind the places match.
func (p *pair) wordsAround(c candidate) float32 {
	return max(p.beside(c, -1), p.beside(c, 1))
}

func (p *pair) beside(c candidate, step int) float32 {
	i, j := p.a.next(c.a, step), p.b.next(c.b, step)
	if i < 0 || j < 0 {
		return 0
	}
	return strength(&p.a.Tokens[i], &p.b.Tokens[j])
}

// next returns the nearest word of content before or behind a span.
func (s side) next(at span, step int) int {
	i := at.to
	if step < 0 {
		i = at.from - 1
	}
	for ; i >= 0 && i < len(s.Tokens); i += step {
		if t := &s.Tokens[i]; t.Role&frame.Content != 0 && t.Value == 0 && t.Part&lexicon.Stop == 0 {
			return i
		}
	}
	return -1
}

// others counts the other families in which the claims clash.
func (p *pair) others(c candidate) int {
	seen := []Family{c.family, Rest}
	for _, o := range p.candidates {
		if !slices.Contains(seen, o.family) {
			seen = append(seen, o.family)
		}
	}
	return len(seen) - 2
}
