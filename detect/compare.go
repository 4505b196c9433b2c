package detect

// RulesVersion is the version of what Compare finds. Raise it whenever its answer
// for some pair changes: pairs that were compared before are compared again then.
// Version is that of Entities, and indexes depend on it.
const RulesVersion = 1

// Compare holds two claims against each other by rules alone (tiers 0, 2 and
// 2b). The answer is the same whichever comes first, but for its sides.
//
// A rule finds two places that clash and asks whether the rest of the claims
// speaks of one thing (agreement.go, samething.go) under conditions that can hold
// together (circumstances.go). What is said of a case that the other does not name is
// left alone (cases.go). Clauses that assert nothing, such as questions,
// examples and steps, are left out (assertions.go). The rules, each in a file of
// its own:
//
//  1. Values (rulevalues.go): one thing has values that exclude each other, unless
//     another value of a list agrees (restated.go). Where they are named in other
//     words, they must be of one quantity (rulequantities.go).
//  2. Choices (rulechoices.go): one place is filled by two things of a kind, or by one
//     for all of a class and by another for a member of it (members.go).
//  3. Polarity (rulepolarity.go): what one says, the other denies; opposite states
//     (rulestates.go); and named things (ruledenials.go) that one denies and the
//     other has.
//  4. Edits (ruleedits.go): sentences that differ in one small part.
//  5. Stages (rulestages.go): what is gone for one is in use for the other; and
//     order (ruleorder.go): what comes first for one comes last for the other.
//  6. Changes (rulechange.go): one says of what the other states that it is past.
//  7. Demands (ruleduties.go): what one demands, or tells to do (instructions.go), the
//     other forbids; and restrictions
//     (rulerestrictions.go): what holds for some only in one, for all in the other.
//
// Texts longer than maxRead are not compared. A rival and the fact that stands at
// the key it is for always clash (rivals.go).
func Compare(first, second *Claim) (Finding, bool) {
	a, b := side{first}, side{second}
	swapped := b.Text < a.Text
	if swapped {
		a, b = b, a
	}
	f, found := byRules(a, b, swapped)
	if rivals(a, b) {
		f, found = rivalry(f, found, a, b), true
	}
	if swapped {
		f = f.swap()
	}
	return f, found
}

// byRules is Compare for claims in the order of their texts.
func byRules(a, b side, swapped bool) (Finding, bool) {
	p := pair{a: a, b: b, scopes: scopesOf(a.Scope, b.Scope), swapped: swapped}
	if !p.worthIt() {
		return Finding{}, false
	}
	best, found := p.clash()
	if !found {
		return Finding{}, false
	}
	return p.finding(best), true
}

// side is one of the claims of a pair.
type side struct{ *Claim }

// pair is two claims in the order of their texts, so that what rules find does
// not depend on which is called first.
type pair struct {
	a, b   side
	scopes nearness
	// swapped tells that b is the one called "here".
	swapped bool
}

// clash is what a rule found.
type clash struct {
	rule   rule
	a, b   Place
	what   string // what the values are of, or the words that are said and denied
	tier   Tier
	unsure bool // each claim says something that the other does not
	denied bool // one side denies what the other says
	// replaced tells that the newer side names what took the place of the older's.
	replaced bool
	newer    Side // the side that says of the other's that it is no longer so
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
	byOrder
	byDenial
	byRestriction
	byDuty
)

// worthIt is the cheap test that refuses most pairs: there must be something
// that a rule works with, and a word in common that says something.
func (p *pair) worthIt() bool {
	x, y := &p.a.read, &p.b.read
	both, either := x.signs&y.signs, x.signs|y.signs
	if p.a.Text == p.b.Text || both&(hasValue|hasKind|hasLife|hasOrder) == 0 && either&(hasDenial|hasOpposed|hasChange) == 0 {
		return false
	}
	return either&hasUniversal != 0 && both&hasKind != 0 || both&hasOrder != 0 || meets(x.strong, y.strong) || meets(x.strong, y.scope) || meets(x.scope, y.strong)
}

// meets reports whether two sorted lists have an element in common.
func meets(x, y []uint32) bool {
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] == y[0]:
			return true
		case x[0] < y[0]:
			x = x[1:]
		default:
			y = y[1:]
		}
	}
	return false
}

// mostClauses is how many clauses of each claim are compared.
const mostClauses = 6

// clash returns the best of what the rules find.
func (p *pair) clash() (best clash, found bool) {
	take := func(c clash, ok bool) {
		if ok && (!found || c.rule.score() > best.rule.score()) {
			best, found = c, true
		}
	}
	take(p.slots())
	if p.scopes != elsewhere || p.ownSubject() {
		c, ok, near := p.edit()
		take(c, ok)
		if near {
			return best, found // what else differs is a matter of style
		}
		take(p.order())
	}
	take(p.change())
	take(p.denial())
	for i := range p.a.read.clauses[:min(len(p.a.read.clauses), mostClauses)] {
		for j := range p.b.read.clauses[:min(len(p.b.read.clauses), mostClauses)] {
			if p.a.read.clauses[i].idle || p.b.read.clauses[j].idle {
				continue
			}
			take(p.valuesIn(i, j))
			take(p.choice(i, j))
			take(p.polarity(i, j))
			take(p.duties(i, j))
			take(p.stages(i, j))
			take(p.restriction(i, j))
		}
	}
	return best, found
}

// clausePart is a clause, with what it may be about.
func (c side) clausePart(i int) part {
	x := &c.read.clauses[i]
	return part{claim: c, within: span{x.from, x.to}, subject: c.subject(i), figures: true}
}

// subject is what stands before the verb of the first clause: a later one may
// speak of it without naming it.
func (c side) subject(clause int) span {
	if clause == 0 {
		return span{}
	}
	switch x, before := &c.read.clauses[clause], &c.read.clauses[clause-1]; c.read.terms[x.from].low {
	case "they", "it", "since", "as", "which":
		return span{before.from, before.to}
	}
	return span{c.read.clauses[0].from, c.read.clauses[0].verb}
}
