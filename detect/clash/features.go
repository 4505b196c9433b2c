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
		"other modifiers", "modifier of one", "other complements", "complement of one",
		"part of the whole in one", "change by an amount in one", "value of the other as past",
		"both begin with a verb", "one begins with a verb", "both begin with a day", "both heads end in a colon",
		"observed by one", "planned by one", "exception of one",
		"same word before the values", "other word before the values",
		"value by other modifiers", "value by other complements", "value by unshared words of both", "value by unshared words of one", "value by unshared names of both", "value by coverage of clause",
		"word by other modifiers", "word by other complements", "word by unshared words of both", "word by unshared words of one", "word by coverage near", "word by shared",
		"value by shared near", "name by shared near", "name by other modifiers", "name by unshared words of both", "name by subject",
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
	f = append(f, logOf(float32(min(len(p.a.Tokens), len(p.b.Tokens))))/4, logOf(float32(max(len(p.a.Tokens), len(p.b.Tokens))))/4)
	modifiers, complements := p.modifiers(c), p.complements(c)
	f = append(f, modifiers[:]...)
	f = append(f, complements[:]...)
	amounts := p.amounts(c)
	f = append(f, amounts[:]...)
	f = append(f, when(p.a.Step && p.b.Step), when(p.a.Step != p.b.Step), when(p.a.Dated && p.b.Dated), when(p.a.titled() && p.b.titled()))
	modes := p.modes(c)
	f = append(f, modes[:]...)
	before := p.before(c)
	f = append(f, before[:]...)
	wordsBoth, wordsOne, namesBoth := f[unsharedAt], f[unsharedAt+1], f[unsharedAt+2]
	f = append(f, value*modifiers[0], value*complements[0], value*wordsBoth, value*wordsOne, value*namesBoth, value*clause.better*clause.other)
	f = append(f, word*modifiers[0], word*complements[0], word*wordsBoth, word*wordsOne, word*near.better*near.other, word*logOf(clause.shared))
	return append(f, value*logOf(near.shared), name*logOf(near.shared), name*modifiers[0], name*wordsBoth, name*min(a, b))
}

var (
	featureCount = len(featureNames())
	unsharedAt   = slices.Index(featureNames(), "unshared words of both clauses")
)

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

// unsharedOf counts words of weight and names that the other claim does not have.
func (p *pair) unsharedOf(c candidate) [4]float32 {
	wordsA, namesA := p.a.missing(c.a)
	wordsB, namesB := p.b.missing(c.b)
	return [...]float32{
		logOf(min(wordsA, wordsB)), logOf(max(wordsA, wordsB)), logOf(min(namesA, namesB)), logOf(max(namesA, namesB)),
	}
}

// missing sums the weight of the words of the clause of a place, and counts the names
// of the claim, that the other claim does not have.
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

// modifiers tells how much of what narrows a word that both claims have differs: "the
// price model", "the churn model". The first is where both narrow it, the second where
// one does.
func (p *pair) modifiers(c candidate) [2]float32 {
	var both, one float32
	for i := range p.a.Tokens {
		j := p.a.partner[i]
		if j < 0 || p.b.partner[j] != i || p.a.match[i] < nearMeaning {
			continue
		}
		x, y := p.a.modifier(i, c.a), p.b.modifier(j, c.b)
		both += min(x, y)
		if x == 0 || y == 0 {
			one += max(x, y)
		}
	}
	return [...]float32{logOf(both), logOf(one)}
}

// modifier is the weight of the word right before token i, if the other claim does not
// have it.
func (s side) modifier(i int, beside span) float32 {
	i--
	if i >= 0 && s.Lower(i) == "-" {
		i--
	}
	if i < 0 || i >= beside.from && i < beside.to || s.match[i] > 0 || s.Tokens[i].Value > 0 || verbal(&s.Tokens[i]) {
		return 0
	}
	return s.Tokens[i].Weight
}

// complements tells how much what follows a preposition differs: "over LTE", "on fibre".
func (p *pair) complements(c candidate) [2]float32 {
	x, y := p.a.complement(c.a), p.b.complement(c.b)
	return [...]float32{min(x, y), max(x, y)}
}

// complement is the greatest weight of a word behind a preposition in the clause of a place
// that the other claim does not have.
func (s side) complement(beside span) (most float32) {
	c := s.clauseOf(beside)
	for i := c.From; i < c.To; i++ {
		switch s.Lower(i) {
		case "in", "on", "at", "over", "for", "of", "from", "with", "during", "under", "by", "within", "inside":
			if j := s.next(span{i, i + 1}, 1); j >= 0 && j < i+4 && j < c.To && (j < beside.from || j >= beside.to) && s.match[j] == 0 {
				most = max(most, s.Tokens[j].Weight)
			}
		}
	}
	return most
}

// modes tells whether just one claim reports what was seen, what is planned, or an
// exception.
func (p *pair) modes(c candidate) [3]float32 {
	a, b := p.a.mode(c.a), p.b.mode(c.b)
	return [...]float32{when(a[0] != b[0]), when(a[1] != b[1]), when(a[2] != b[2])}
}

// mode tells whether the clause of a place reports what was seen, what is planned, and an
// exception.
func (s side) mode(at span) (is [3]bool) {
	c := s.clauseOf(at)
	for i := c.From; i < c.To; i++ {
		switch s.Lower(i) {
		case "took", "measured", "average", "averages", "averaged", "median", "percentile", "p50", "p90", "p95", "p99", "peak", "peaked", "peaks", "far", "saw", "seen", "observed", "currently", "typical", "typically", "usually", "normally", "roughly", "month", "largest", "biggest", "longest", "reached", "hit", "full", "happened", "had", "were", "was", "counted", "yesterday":
			is[0] = true
		case "goal", "target", "aim", "plan", "planned", "plans", "want", "wants", "should", "roadmap", "proposal", "proposed", "considering", "wish", "intend", "hope", "would", "could", "will":
			is[1] = true
		case "except", "exception", "exceptions", "one-off", "apart", "unless", "waiver", "exempt", "special", "excluding", "besides":
			is[2] = true
		}
	}
	return is
}

// titled reports a text whose first words end in a colon: "Scenario A: …", "Memory: …".
func (s side) titled() bool {
	for i := range min(len(s.Tokens), 8) {
		if s.Lower(i) == ":" {
			return i > 0
		}
	}
	return false
}

// amounts tells whether just one value is a part of several ("4 of the indexes") or how
// much something changed ("grew by 40 %"), and whether one claim gives the value of the
// other as past.
func (p *pair) amounts(c candidate) [3]float32 {
	if value, _, _ := c.groups(); value == 0 {
		return [3]float32{}
	}
	return [...]float32{when(p.a.partial(c.a) != p.b.partial(c.b)), when(p.a.differs(c.a) != p.b.differs(c.b)), c.extra}
}

// partial reports a value that is a part of several things: "4 of the indexes", "4 indexes of".
func (s side) partial(at span) bool {
	return s.Lower(at.to) == "of" || s.Lower(at.to+1) == "of" && s.Tokens[at.to+1].Clause == s.Tokens[at.from].Clause
}

// differs reports a value that is how much something changed, or differs from something else.
func (s side) differs(at span) bool {
	for i := max(at.from-3, 0); i < at.from; i++ {
		switch s.Lower(i) {
		case "by", "grew", "rose", "minus", "plus", "adds", "add", "extra", "another", "additional", "dropped", "fell", "saved", "saves":
			return true
		}
	}
	switch s.Lower(at.to) {
	case "more", "less", "fewer", "extra", "faster", "slower", "off", "additional", "cheaper":
		return true
	}
	return false
}

// before tells whether the words right before two values are the same.
func (p *pair) before(c candidate) [2]float32 {
	if value, _, _ := c.groups(); value == 0 || c.a.from == 0 || c.b.from == 0 {
		return [2]float32{}
	}
	x, y := &p.a.Tokens[c.a.from-1], &p.b.Tokens[c.b.from-1]
	if x.Part&y.Part&lexicon.Stop == 0 {
		return [2]float32{}
	}
	return [...]float32{when(x.Lower == y.Lower), when(x.Lower != y.Lower)}
}
