// Package rule decides by rules alone whether two claims contradict each other. Each
// rule is a file (rule*.go); the others hold what rules share: whether two clauses
// are about one thing, and under conditions that can hold together.
package rule

import (
	"engram/detect/claim"
	"engram/detect/finding"
)

// Compare compares two claims by rules alone (tiers 0, 2 and 2b). The order of the
// claims only affects the sides of the answer.
//
// A rule finds two places that clash. It then checks that the rest of the claims is
// about one thing (agreement.go, samething.go) under conditions that can hold together
// (circumstances.go). It skips a statement about a case that the other claim does not
// name (cases.go), and clauses that assert nothing, such as questions, examples and
// steps. The rules, each in a file of its own:
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
func Compare(first, second *claim.Claim) (finding.Finding, bool) {
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
		f = f.Swap()
	}
	return f, found
}

// byRules is Compare for claims in the order of their texts.
func byRules(a, b side, swapped bool) (finding.Finding, bool) {
	p := pair{a: a, b: b, scopes: scopesOf(a.Scope, b.Scope), swapped: swapped}
	if !p.mayClash() {
		return finding.Finding{}, false
	}
	best, found := p.bestClash()
	if !found {
		return finding.Finding{}, false
	}
	return p.report(best), true
}

// mayClash is the cheap test that rejects most pairs: there must be a feature that a
// rule needs, and a meaningful word in common.
func (p *pair) mayClash() bool {
	x, y := &p.a.Reading, &p.b.Reading
	both, either := x.Features&y.Features, x.Features|y.Features
	if p.a.Text == p.b.Text || both&(claim.HasValue|claim.HasKind|claim.HasStage|claim.HasOrder) == 0 && either&(claim.HasDenial|claim.HasOpposed|claim.HasChange) == 0 {
		return false
	}
	return either&claim.HasUniversal != 0 && both&claim.HasKind != 0 || both&claim.HasOrder != 0 || meets(x.Strong, y.Strong) || meets(x.Strong, y.ScopeWords) || meets(x.ScopeWords, y.Strong)
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

// bestClash returns the best of what the rules find.
func (p *pair) bestClash() (best clash, found bool) {
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
	take(p.deniedName())
	for i := range p.a.Clauses[:min(len(p.a.Clauses), mostClauses)] {
		for j := range p.b.Clauses[:min(len(p.b.Clauses), mostClauses)] {
			if p.a.Clauses[i].AssertsNothing || p.b.Clauses[j].AssertsNothing {
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
