package rule

import (
	"strings"

	"engram/detect/claim"
	"engram/detect/finding"
	"engram/detect/lexicon"
)

// choice finds two things of a kind in one place.
func (p *pair) choice(i, j int) (clash, bool) {
	x, y := &p.a.Clauses[i], &p.b.Clauses[j]
	switch {
	case x.Features&y.Features&claim.HasKind == 0, x.Provisional != y.Provisional, x.Denials+y.Denials > 0:
		return clash{}, false
	case x.OpenEnded && !y.Exclusive, y.OpenEnded && !x.Exclusive:
		return clash{}, false
	}
	for k := x.From; k < x.To; k++ {
		if p.a.Terms[k].Kinds == 0 {
			continue
		}
		for l := y.From; l < y.To; l++ {
			kind, ok := p.exclusiveKind(x, y, k, l)
			if !ok {
				continue
			}
			t, u := &p.a.Terms[k], &p.b.Terms[l]
			a, b := p.a.clausePart(i), p.b.clausePart(j)
			a.without, b.without = p.a.filled(k), p.b.filled(l)
			g := agree(a, b)
			if g.restA.opposed > 0 {
				continue // full and incremental backups
			}
			if p.cases(k, l) || p.a.flow(x)*p.b.flow(y) < 0 {
				continue
			}
			if p.sameThing(g) || p.leavesNone(x, y) && p.nearThing(g) || p.membership(x, y, k, l) {
				return clash{rule: byChoice, a: placeAt(t.Start, t.End), b: placeAt(u.Start, u.End), what: lexicon.KindName(kind), tier: finding.TierEntity, unsure: g.unsure()}, true
			}
		}
	}
	return clash{}, false
}

// flow tells whether a clause says where something goes, +1, or whence it comes, -1: a
// thing may read from one queue and write to another.
func (c side) flow(x *claim.Clause) (direction int) {
	for i := x.From; i < x.To; i++ {
		switch c.Terms[i].Lower {
		case "publishes", "publish", "published", "sends", "send", "sent", "writes", "write", "written", "emits", "pushes", "exports", "ships", "stores", "forwards":
			direction++
		case "reads", "read", "takes", "consumes", "consume", "receives", "pulls", "fetches", "imports", "subscribes", "loads", "gets":
			direction--
		}
	}
	return direction
}

// exclusiveKind returns the kind of which term k of the one and l of the other clause are
// two that exclude each other, under conditions that can hold together. Neither
// claim has the other's, or a second of the kind, unless one leaves no room for it.
func (p *pair) exclusiveKind(x, y *claim.Clause, k, l int) (kind uint64, ok bool) {
	t, u := &p.a.Terms[k], &p.b.Terms[l]
	kind = t.Kinds & u.Kinds
	switch {
	case kind == 0, t.ID == u.ID, kind == lexicon.PathKind && (p.overlap(t, u) || (t.Role|u.Role)&claim.Topic != 0):
		return 0, false
	case !t.Chosen() || !x.Exclusive && p.b.Affirms(t.ID), !u.Chosen() || !y.Exclusive && p.a.Affirms(u.ID):
		return 0, false
	case x.Exclusive && p.a.Affirms(u.ID), y.Exclusive && p.b.Affirms(t.ID):
		return 0, false
	case !p.a.OnlyOfKind(k, kind) && !y.LeavesNoOther(), !p.b.OnlyOfKind(l, kind) && !x.LeavesNoOther():
		return 0, false
	}
	return kind, p.canHoldTogether(withoutChoice(x.Conditions, t.ID), withoutChoice(y.Conditions, u.ID))
}

// leavesNone reports that one clause leaves no room for what the other says: it
// says so ("only"), or it is about all of what the other is about.
func (p *pair) leavesNone(x, y *claim.Clause) bool {
	switch {
	case x.Exclusive || y.Exclusive:
		return true
	case (x.Features|y.Features)&claim.HasUniversal == 0, x.Provisional, y.Provisional:
		return false
	case p.scopes == nested:
		return true
	}
	return x.Verb > x.From && y.Verb > y.From && p.a.subjectIn(x, p.b) && p.b.subjectIn(y, p.a)
}

// nearThing is sameThing for where one claim leaves no room for others: enough is
// shared, and nothing tells the one from the other.
func (p *pair) nearThing(g agreement) bool {
	a, b := &g.restA, &g.restB
	switch {
	case g.common <= claim.StrongWeight, min(a.strong, b.strong) > g.strong, g.contrasting:
		return false
	case min(a.owning, b.owning) > 0, min(a.figures, b.figures) > 0:
		return false
	}
	return p.scopes != elsewhere || g.topic
}

// overlap reports paths of which one may be the end or the beginning of the
// other.
func (p *pair) overlap(t, u *claim.Term) bool {
	x, y := p.a.word(t), p.b.word(u)
	return strings.Contains(x, y) || strings.Contains(y, x) || x[strings.LastIndexByte(x, '/')+1:] == y[strings.LastIndexByte(y, '/')+1:]
}
