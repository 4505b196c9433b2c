package detect

// nounOnce reports two counts in clauses that are alike up to the numbers, of which
// one leaves out what it counts, as the other names it: "the pool has 20
// connections" and "the pool has 10".
func (p *pair) nounOnce(v, w *stated) bool {
	if v.Type != Number || v.Unit != "count" || p.scopes == elsewhere {
		return false
	}
	x, y := &p.a.read.clauses[v.clause], &p.b.read.clauses[w.clause]
	if v.from != x.verb+1 || w.from != y.verb+1 || p.a.read.terms[x.verb].id != p.b.read.terms[y.verb].id {
		return false
	}
	return min(x.to-v.to, y.to-w.to) == 0 && max(x.to-v.to, y.to-w.to) == 1 && p.namesakes(x, y)
}

// oneOfNoun reports "one" at token i as a number of the noun behind it, right behind
// a verb: needs one approval; not one of them, one another, one or more.
func (p *reader) oneOfNoun(i int) bool {
	if !p.is(i, "one") || p.toks[i].value != 0 || !p.nounFollows(i) || i == 0 || lookUp(p.toks[i+1].low).traits&weak != 0 {
		return false
	}
	return p.is(i-1, "need", "needs", "require", "requires", "takes", "allows", "gets")
}
