// Package assess says how surely two claims contradict each other, by rules and by what
// their statements say (package clash).
package assess

import (
	"slices"
	"strings"

	"engram/detect/claim"
	"engram/detect/clash"
	"engram/detect/finding"
	"engram/detect/frame"
	"engram/detect/rule"
)

// The probabilities from which on a clash has a grade, chosen by cross-validation on the
// pairs that the model was made from (docs/detection.md).
const (
	contradicts = 0.67
	likely      = 0.47
	related     = 0.20
	certain     = 0.80 // although the claims name other circumstances
)

// Assess compares two claims and grades what it finds. The order of the claims only
// affects the sides of the answer.
//
//  1. What rules find is a contradiction if the probability of what the statements say
//     agrees; otherwise it is likely.
//  2. Two values of one attribute of what has an unmistakable name are a contradiction.
//  3. What statements say is graded by its probability. In sentences of documents, only
//     values and things of which there is one are precise enough to contradict. Claims
//     that name circumstances of their own are likely at most, and those that name
//     identifiers of their own are related at most.
//  4. Claims of scopes that lie apart need a name in common, and are likely at most.
func Assess(a, b *claim.Claim) (finding.Finding, bool) {
	if f, found := rule.Compare(a, b); found {
		f.Grade = ruled(f, a, b)
		return f, true
	}
	if c, found := clash.FindSlot(a.Frame(), b.Frame()); found && nested(a.Scope, b.Scope) && !(a.Frame().Dated && b.Frame().Dated) {
		return report(c, a, b, finding.Contradiction), true
	}
	c, ok := clash.Find(a.Frame(), b.Frame(), clash.Context{Least: related})
	if !ok {
		return finding.Finding{}, false
	}
	grade := gradeOf(c, a, b)
	apart := !nested(a.Scope, b.Scope)
	switch {
	case grade == "", apart && !ShareName(a, b):
		return finding.Finding{}, false
	case apart && grade == finding.Contradiction:
		grade = finding.Likely
	}
	return report(c, a, b, grade), true
}

// Compare returns what is sure enough to open a conflict.
func Compare(a, b *claim.Claim) (finding.Finding, bool) {
	f, found := Assess(a, b)
	if !found || f.Grade != finding.Contradiction {
		return finding.Finding{}, false
	}
	return f, true
}

// unexplained asks for no explanation.
const unexplained = 2

// ruled grades what a rule found. It is likely at most between claims whose subjects differ,
// about what there may be several of, of steps of a manual, and of lines of a history.
func ruled(f finding.Finding, a, b *claim.Claim) finding.Grade {
	if f.Tier == finding.TierMerge {
		return finding.Contradiction
	}
	x, y := a.Frame(), b.Frame()
	switch {
	case inSubject(a, f.A) && inSubject(b, f.B), otherSubjects(a, b), several(x) && several(y), x.Step && y.Step, x.Dated && y.Dated:
		return finding.Likely
	}
	c, ok := clash.Find(x, y, clash.Context{Ruled: f.Score, Least: unexplained})
	switch {
	case !ok:
		return finding.Contradiction
	case c.OtherCase && c.Probability < certain, c.Probability < contradicts && !beginAlike(x, y):
		return finding.Likely
	}
	return finding.Contradiction
}

// beginAlike reports two claims that begin with the same identifier, as records of one
// thing do.
func beginAlike(a, b *frame.Frame) bool {
	return len(a.Tokens) > 0 && len(b.Tokens) > 0 && a.Tokens[0].Role&frame.Code != 0 && a.Tokens[0].Lower == b.Tokens[0].Lower
}

// several reports a claim about what something works with, of which there may be several:
// "Python 3.9 is supported", "we test on Node 18".
func several(f *frame.Frame) bool {
	for i := range f.Tokens {
		switch f.Lower(i) {
		case "supports", "supported", "tested", "compatible":
			return true
		case "test", "tests", "works":
			if f.Has("on", i+1, i+2) || f.Has("with", i+1, i+2) {
				return true
			}
		}
	}
	return false
}

// inSubject reports a place that stands before the verb of its clause.
func inSubject(c *claim.Claim, p finding.Place) bool {
	if p.End <= p.Start {
		return false
	}
	i := c.At(p.Start)
	return i < len(c.Terms) && c.Terms[i].Role&claim.Topic != 0 && c.Terms[i].Start < p.End
}

// otherSubjects reports claims of which each names something before its first verb that the
// other claim does not have at all.
func otherSubjects(a, b *claim.Claim) bool { return ownSubject(a, b) && ownSubject(b, a) }

func ownSubject(c, other *claim.Claim) bool {
	if len(c.Clauses) == 0 {
		return false
	}
	first := c.Clauses[0]
	for i := first.From; i < first.Verb; i++ {
		t := &c.Terms[i]
		names := t.Weight >= claim.StrongWeight && t.ValueIndex == 0 && t.Role&(claim.StopWord|claim.Unasserted|claim.Denial) == 0
		if names && other.Find(t.ID) < 0 && !slices.Contains(other.ScopeWords, t.ID) {
			return true
		}
	}
	return false
}

func gradeOf(c clash.Clash, a, b *claim.Claim) finding.Grade {
	switch {
	case c.Probability >= contradicts && !c.Apart && !c.OtherNames && (precise(c.Family) || brief(a.Frame()) && brief(b.Frame())):
		return finding.Contradiction
	case c.Probability >= likely && !c.OtherNames:
		return finding.Likely
	case c.Probability >= related:
		return finding.Related
	}
	return ""
}

// How many words a claim has that is a statement, and neither a name nor a sentence of a
// document, which rests on those around it.
const (
	leastBrief = 3
	mostBrief  = 16
)

// brief reports a claim that stands on its own: it is short, no step of a manual and no
// line of a history.
func brief(f *frame.Frame) bool {
	words := len(strings.Fields(f.Text))
	return !f.Step && !f.Dated && words >= leastBrief && words <= mostBrief
}

// precise reports the families of values, and of things of which there is only one. These may
// open a conflict between claims of any length.
func precise(family clash.Family) bool {
	switch family {
	case clash.Number, clash.Measure, clash.Share, clash.Port, clash.Version, clash.Calendar, clash.Alternative, clash.Order, clash.Owner:
		return true
	}
	return false
}

// nested reports whether one scope is within the other.
func nested(a, b string) bool {
	within := func(inner, outer string) bool {
		return outer == "" || inner == outer || strings.HasPrefix(inner, outer+"/")
	}
	return within(a, b) || within(b, a)
}

// ShareName reports an identifier or a proper name that both claims have.
func ShareName(a, b *claim.Claim) bool {
	x, y := a.Frame(), b.Frame()
	for i := range x.Tokens {
		for j := range y.Tokens {
			if x.Tokens[i].Role&y.Tokens[j].Role&frame.Name != 0 && x.Tokens[i].Lower == y.Tokens[j].Lower {
				return true
			}
		}
	}
	return false
}

// report turns a clash into a finding.
func report(c clash.Clash, a, b *claim.Claim, grade finding.Grade) finding.Finding {
	f := finding.Finding{
		Tier: tierOf(c.Family, nested(a.Scope, b.Scope)), Verdict: finding.Genuine, Grade: grade, Family: string(c.Family), Score: c.Probability,
		A: c.A, B: c.B, Explanation: c.Explanation, Newer: newer(c, a, b),
	}
	if f.Newer != finding.Neither {
		f.Verdict = finding.Evolution
	}
	f.Severity = finding.SeverityOf(f.Tier, f.Verdict, a.Engineer == b.Engineer)
	return f
}

func tierOf(family clash.Family, near bool) finding.Tier {
	switch {
	case !near:
		return finding.TierCrossScope
	case family == clash.Calendar || family == clash.Order:
		return finding.TierTemporal
	case family == clash.Number || family == clash.Measure || family == clash.Share:
		return finding.TierNumeric
	}
	return finding.TierEntity
}

// newer returns the side that is the newer state of the other: the one that tells of the
// change, unless it is the earlier one; or the later version of one fact.
func newer(c clash.Clash, a, b *claim.Claim) finding.Side {
	later := finding.Neither
	switch a.ValidFrom.Compare(b.ValidFrom) {
	case -1:
		later = finding.SideB
	case 1:
		later = finding.SideA
	}
	switch {
	case c.Newer != finding.Neither && (later == finding.Neither || later == c.Newer):
		return c.Newer
	case a.Lineage != "" && a.Lineage == b.Lineage:
		return later
	}
	return finding.Neither
}
