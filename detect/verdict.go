package detect

// finding turns a clash into what is reported.
func (p *pair) finding(c clash) Finding {
	f := Finding{Tier: c.tier, Verdict: Genuine, Score: c.rule.score(), A: c.a, B: c.b}
	if c.rule == byValue && f.Tier == TierEntity {
		f.Tier = TierNumeric
	}
	if p.scopes == elsewhere {
		f.Tier = TierCrossScope
	}
	f.Newer = p.newer(c)
	switch {
	case f.Newer != Neither:
		f.Verdict = Evolution
	case c.unsure:
		f.Verdict = Ambiguous
	}
	f.Explanation = p.explain(c, f)
	f.Severity = severityOf(f.Tier, f.Verdict, p.a.Engineer == p.b.Engineer)
	return f
}

// newer returns the side that is plainly the newer state of the other:
//
//  1. it says of what the other states that it is no longer so;
//  2. it speaks of a change, the other does not, it is not the earlier one, and what
//     it names as the value before is that of the other;
//  3. it is the later version of the same fact, or the later statement of one
//     agent about one slot.
func (p *pair) newer(c clash) Side {
	later := Neither
	switch p.a.ValidFrom.Compare(p.b.ValidFrom) {
	case -1:
		later = SideB
	case 1:
		later = SideA
	}
	a, b := p.a.changesAt(c.a), p.b.changesAt(c.b)
	sameAgent := p.a.Agent != "" && p.a.Agent == p.b.Agent && (c.rule == bySlot || c.rule == byEdit)
	sameFact := p.a.Lineage != "" && p.a.Lineage == p.b.Lineage
	switch {
	case c.newer != Neither:
		return c.newer
	case a && !b && later != SideB && !p.a.outdated(c.a, p.b, c.b):
		return SideA
	case b && !a && later != SideA && !p.b.outdated(c.b, p.a, c.a):
		return SideB
	case sameFact || sameAgent:
		return later
	}
	return Neither
}

// changesAt reports whether the clause around a place speaks of a change.
func (c side) changesAt(at Place) bool {
	for i := range c.read.clauses {
		x := &c.read.clauses[i]
		if c.read.terms[x.from].start <= at.Start && at.Start <= c.read.terms[x.to-1].end {
			return x.signs&hasChange != 0 || c.changed()
		}
	}
	return false
}

// swap exchanges the sides of a finding.
func (f Finding) swap() Finding {
	f.A, f.B = f.B, f.A
	switch f.Newer {
	case SideA:
		f.Newer = SideB
	case SideB:
		f.Newer = SideA
	}
	return f
}
