package detect

// overAll returns the noun of the class that a clause speaks of all of, "services"
// of "all services run on Linux", or -1: right behind the word for all, and nothing
// but the verb behind it. What has exceptions is not said of all.
func (c side) overAll(x *clause) int {
	if x.reserved || x.denials > 0 {
		return -1
	}
	for i := x.from; i+1 < x.verb && i < x.from+2; i++ {
		if t := &c.read.terms[i]; t.traits&universal != 0 && !c.nearly(i) && i+2 == x.verb {
			return i + 1
		}
	}
	return -1
}

// nearly reports a word before term i that makes less of "all": almost, not.
func (c side) nearly(i int) bool {
	if i == 0 {
		return false
	}
	t := &c.read.terms[i-1]
	return t.role&denial != 0 || classify(t.low)&about != 0 || t.low == "not"
}

// oneOf reports whether a clause is about one named member of the class that term
// class of the other claim stands for: the payments service, of all services.
func (c side) oneOf(x *clause, class *term) bool {
	head, names := -1, 0
	for i := x.from; i < x.verb; i++ {
		t := &c.read.terms[i]
		switch {
		case t.traits&universal != 0 || classify(t.low)&prep != 0:
			return false
		case t.role&glue == 0:
			head, names = i, names+1
		}
	}
	return names > 1 && c.read.terms[head].id == class.id
}

// membership reports that one clause speaks of all of a class, and the other of
// one member of it, of which it says something of the same sort: what the first
// says holds for the member too. Beside the terms k and l, which are of one kind,
// the first may say nothing that the second does not, and the second little.
func (p *pair) membership(x, y *clause, k, l int) bool {
	all, one := p.a.predicateWithout(x, k), p.b.predicateWithout(y, l)
	switch i, j := p.a.overAll(x), p.b.overAll(y); {
	case i >= 0 && j < 0 && p.b.oneOf(y, &p.a.read.terms[i]):
	case j >= 0 && i < 0 && p.a.oneOf(x, &p.b.read.terms[j]):
		all, one = one, all
	default:
		return false
	}
	g := agree(all, one)
	return g.restA.special() == 0 && (g.restB.special() == 0 || g.restB.special() == 1 && p.a.read.terms[x.verb].id == p.b.read.terms[y.verb].id) && g.restB.narrowing == 0
}

// predicateWithout is what a clause says of its subject, but for term k.
func (c side) predicateWithout(x *clause, k int) part {
	s := c.part(span{x.verb, x.to})
	s.without, s.figures = c.filled(k), true
	return s
}

// filled is the place that term k fills, with what only completes it: the version
// of a product, the day and the time of what is done weekly.
func (c side) filled(k int) span {
	s := span{k, k + 1}
	scheduled := c.read.terms[k].schedules()
	for s.to < len(c.read.terms) {
		t := &c.read.terms[s.to]
		completes := t.role&figure != 0 || isDigit(t.low[0]) || t.value > 0 && c.read.values[t.value-1].Type == Release
		if scheduled {
			completes = completes || t.role&glue != 0 || t.schedules() || t.value > 0 && c.read.values[t.value-1].Type == Date
		}
		if !completes {
			break
		}
		s.to++
	}
	return s
}

// schedules reports one of the words for when something is done again and again.
func (t *term) schedules() bool {
	if t.kinds == 0 || t.value > 0 {
		return false
	}
	switch kindName(t.kinds) {
	case "frequency", "weekday", "time zone":
		return true
	}
	return false
}
