package detect

// Compare holds two claims against each other by rules alone (tiers 0, 2 and
// 2b). The answer is the same whichever comes first, but for its sides.
//
// The rules, each in a file of its own:
//
//  1. Values (rulevalues.go): one thing has values that exclude each other.
//  2. Choices (rulechoices.go): one place is filled by two things of a kind.
//  3. Polarity (rulepolarity.go): what one says, the other denies.
//  4. Edits (ruleedits.go): sentences that differ in one small part.
//  5. Stages (rulestages.go): what is gone for one is in use for the other.
func Compare(a, b *Claim) (Finding, bool) {
	swapped := b.Text < a.Text
	if swapped {
		a, b = b, a
	}
	p := pair{a: a, b: b, scopes: scopesOf(a.Scope, b.Scope)}
	if !p.worthIt() {
		return Finding{}, false
	}
	best, found := p.clash()
	if !found {
		return Finding{}, false
	}
	f := p.finding(best, swapped)
	return f, true
}

// pair is two claims in the order of their texts, so that what rules find does
// not depend on which is called first.
type pair struct {
	a, b   *Claim
	scopes nearness
}

// clash is what a rule found.
type clash struct {
	rule rule
	a, b Place
	what string // what the values are of, or the words that are said and denied
	tier Tier
	weak bool // the subject agrees only so far
}

// rule names what found a clash, for its score and its explanation.
type rule int

const (
	byNothing rule = iota
	bySlot
	byEdit
	byValue
	byChoice
	byPolarity
	byStage
	byChange
)

// worthIt is the cheap test that refuses most pairs: both must have what a rule
// works with, and a word in common that says something.
func (p *pair) worthIt() bool {
	x, y := &p.a.read, &p.b.read
	if p.a.Text == p.b.Text || x.signs|y.signs == 0 {
		return false
	}
	return meets(x.strong, y.strong) || meets(x.strong, y.scope) || meets(x.scope, y.strong)
}

// meets reports whether two lists have an element in common; the first one is
// sorted, and so is the second unless it is short.
func meets(x, y []uint32) bool {
	if len(y) < 8 {
		for _, id := range y {
			for _, other := range x {
				if id == other {
					return true
				}
			}
		}
		return false
	}
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] == y[j]:
			return true
		case x[i] < y[j]:
			i++
		default:
			j++
		}
	}
	return false
}

// clash returns the best of what the rules find.
func (p *pair) clash() (best clash, found bool) {
	take := func(c clash, ok bool) {
		if ok && (!found || c.score() > best.score()) {
			best, found = c, true
		}
	}
	take(p.slots())
	take(p.edit())
	for i := range p.a.read.clauses {
		for j := range p.b.read.clauses {
			if i+j > 6 {
				break
			}
			take(p.valuesIn(i, j))
			take(p.choice(i, j))
			take(p.polarity(i, j))
			take(p.stages(i, j))
		}
	}
	return best, found
}

// sides are the clauses of two claims, as parts to compare.
func (p *pair) sides(i, j int) (a, b part) {
	x, y := &p.a.read.clauses[i], &p.b.read.clauses[j]
	a = part{claim: p.a, within: span{x.from, x.to}, subject: span{x.from, x.from}, figures: true}
	b = part{claim: p.b, within: span{y.from, y.to}, subject: span{y.from, y.from}, figures: true}
	return a, b
}
