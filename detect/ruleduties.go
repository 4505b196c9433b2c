package detect

// duties finds what one claim demands and the other forbids: "every migration must
// have a down script" and "down scripts are not allowed". Both say so in plain
// words, so that less needs to be shared than for a denial of what merely is.
func (p *pair) duties(i, j int) (clash, bool) {
	x, y := &p.a.read.clauses[i], &p.b.read.clauses[j]
	a, b := p.a.duty(x), p.b.duty(y)
	if a.demands == 0 {
		a = p.a.instruction(x, b, p.b)
	} else if b.demands == 0 {
		b = p.b.instruction(y, a, p.a)
	}
	if a.demands*b.demands >= 0 || x.reserved || y.reserved || !p.together(x.conditions, y.conditions) {
		return clash{}, false
	}
	g := agree(p.a.clausePart(i), p.b.clausePart(j))
	bans, same := g.restA, p.a.bans(x, a, p.b, y)
	if b.demands < 0 {
		bans, same = g.restB, p.b.bans(y, b, p.a, x)
	}
	switch {
	case !same, p.turned(x, y), g.strong < 2, g.contrasting, bans.special() > 2, bans.special() > 0 && g.strong < 3, g.restA.figures+g.restB.figures > 0, g.restA.opposed > 0:
		return clash{}, false
	case p.scopes == elsewhere && !g.topic:
		return clash{}, false
	}
	return clash{rule: byDuty, tier: TierEntity, a: p.a.place(a.words), b: p.b.place(b.words), unsure: g.unsure()}, true
}

// bans reports whether what clause x forbids stands in clause y: what follows
// "never", or what stands before "is forbidden".
func (c side) bans(x *clause, d duty, other side, y *clause) bool {
	if c.read.terms[d.words.to-1].id != allowID {
		return c.deniesOf(x, other, y)
	}
	for i := d.words.from; i >= x.from; i-- {
		if t := &c.read.terms[i]; t.weight >= strongWeight {
			return other.read.findIn(t.id, y.from, y.to) >= 0
		}
	}
	return false
}

// duty is what a clause demands, +1, or forbids, -1, and the words that say so.
type duty struct {
	demands int
	words   span
}

// duty reads a demand: must, has to, is required; or a ban: must not, never, is
// not allowed, is forbidden.
func (c side) duty(x *clause) (d duty) {
	for i := x.from; i < x.to; i++ {
		t := &c.read.terms[i]
		switch w := t.low; {
		case t.role&shadow != 0:
		case t.id == allowID && t.opposed != 0:
			if (t.opposed < 0) != (x.denials%2 == 1) && !x.only {
				return duty{-1, span{max(i-1, x.from), i + 1}}
			}
			return duty{}
		case c.bansAt(i, x):
			return duty{-1, span{i, min(i+3, x.to)}}
		case w == "never" || w == "mustn't":
			return duty{-1, span{i, min(i+2, x.to)}}
		case w == "must" || w == "shall":
			d = duty{1, span{i, min(i+2, x.to)}}
			if c.read.terms[d.words.to-1].role&denial != 0 {
				d.demands = -1
			}
		case (w == "ought" || t.id == requireID && t.opposed > 0 || c.hasTo(i, x)) && x.denials == 0:
			d = duty{1, span{i, min(i+2, x.to)}} // what is not required may still be done
		}
	}
	if d.demands < 0 && x.denials > 1 {
		return duty{} // must not run without
	}
	return d
}

// hasTo reports "has to" at term i.
func (c side) hasTo(i int, x *clause) bool {
	w := c.read.terms[i].low
	return (w == "has" || w == "have") && i+1 < x.to && c.read.terms[i+1].low == "to"
}
