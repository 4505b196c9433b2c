package rule

import (
	"engram/detect/claim"
	"engram/detect/finding"
)

// report turns a clash into what is reported.
func (p *pair) report(c clash) finding.Finding {
	f := finding.Finding{Tier: c.tier, Verdict: finding.Genuine, Grade: finding.Contradiction, Family: c.rule.family(), Score: c.rule.score(), A: c.a, B: c.b}
	if c.rule == byValue && f.Tier == finding.TierEntity {
		f.Tier = finding.TierNumeric
	}
	if p.scopes == elsewhere {
		f.Tier = finding.TierCrossScope
	}
	f.Newer = p.newer(c)
	switch {
	case f.Newer != finding.Neither:
		f.Verdict = finding.Evolution
	case c.unsure:
		f.Verdict = finding.Ambiguous
	}
	f.Explanation = p.explain(c, f)
	f.Severity = finding.SeverityOf(f.Tier, f.Verdict, p.a.Engineer == p.b.Engineer)
	return f
}

// newer returns the side that is plainly the newer state of the other:
//
//  1. it says of what the other states that it is no longer so;
//  2. it speaks of a change, the other does not, it is not the earlier one, and what
//     it names as the value before is that of the other;
//  3. it is the later version of the same fact, or the later statement of one
//     agent about one slot.
func (p *pair) newer(c clash) finding.Side {
	later := finding.Neither
	switch p.a.ValidFrom.Compare(p.b.ValidFrom) {
	case -1:
		later = finding.SideB
	case 1:
		later = finding.SideA
	}
	a, b := p.a.changesAt(c.a), p.b.changesAt(c.b)
	sameAgent := p.a.Agent != "" && p.a.Agent == p.b.Agent && (c.rule == bySlot || c.rule == byEdit)
	sameFact := p.a.Lineage != "" && p.a.Lineage == p.b.Lineage
	switch {
	case c.newer != finding.Neither:
		return c.newer
	case a && !b && later != finding.SideB && !p.a.outdated(c.a, p.b, c.b):
		return finding.SideA
	case b && !a && later != finding.SideA && !p.b.outdated(c.b, p.a, c.a):
		return finding.SideB
	case sameFact || sameAgent:
		return later
	}
	return finding.Neither
}

// changesAt reports whether the clause around a place speaks of a change.
func (c side) changesAt(at finding.Place) bool {
	for i := range c.Clauses {
		x := &c.Clauses[i]
		if c.Terms[x.From].Start <= at.Start && at.Start <= c.Terms[x.To-1].End {
			return x.Features&claim.HasChange != 0 || c.changed()
		}
	}
	return false
}
