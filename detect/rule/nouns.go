package rule

import (
	"engram/detect/claim"
	"engram/detect/entity"
)

// nounOnce reports two counts in clauses that are alike up to the numbers, of which
// one leaves out what it counts, as the other names it: "the pool has 20
// connections" and "the pool has 10".
func (p *pair) nounOnce(v, w *claim.Value) bool {
	if v.Type != entity.Number || v.Unit != "count" || p.scopes == elsewhere {
		return false
	}
	x, y := &p.a.Clauses[v.Clause], &p.b.Clauses[w.Clause]
	if v.From != x.Verb+1 || w.From != y.Verb+1 || p.a.Terms[x.Verb].ID != p.b.Terms[y.Verb].ID {
		return false
	}
	return min(x.To-v.To, y.To-w.To) == 0 && max(x.To-v.To, y.To-w.To) == 1 && p.sameFullSubject(x, y)
}
