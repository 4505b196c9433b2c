package detect

import "strings"

// choice finds two things of a kind in one place.
func (p *pair) choice(i, j int) (clash, bool) {
	x, y := &p.a.read.clauses[i], &p.b.read.clauses[j]
	if x.signs&y.signs&hasKind == 0 || x.reserved != y.reserved || x.open && !y.only || y.open && !x.only || x.denials+y.denials > 0 {
		return clash{}, false
	}
	for k := x.from; k < x.to; k++ {
		if p.a.read.terms[k].kinds == 0 {
			continue
		}
		for l := y.from; l < y.to; l++ {
			kind, ok := p.rivals(x, y, k, l)
			if !ok {
				continue
			}
			t, u := &p.a.read.terms[k], &p.b.read.terms[l]
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
				return clash{rule: byChoice, a: placeAt(t.start, t.end), b: placeAt(u.start, u.end), what: kindName(kind), tier: TierEntity, unsure: g.unsure()}, true
			}
		}
	}
	return clash{}, false
}

// flow tells whether a clause says where something goes, +1, or whence it comes, -1: a
// thing may read from one queue and write to another.
func (c side) flow(x *clause) (direction int) {
	for i := x.from; i < x.to; i++ {
		switch c.read.terms[i].low {
		case "publishes", "publish", "published", "sends", "send", "sent", "writes", "write", "written", "emits", "pushes", "exports", "ships", "stores", "forwards":
			direction++
		case "reads", "read", "takes", "consumes", "consume", "receives", "pulls", "fetches", "imports", "subscribes", "loads", "gets":
			direction--
		}
	}
	return direction
}

// rivals returns the kind of which term k of the one and l of the other clause are
// two that exclude each other, under conditions that can hold together. Neither
// claim has the other's, or a second of the kind, unless one leaves no room for it.
func (p *pair) rivals(x, y *clause, k, l int) (kind uint64, ok bool) {
	t, u := &p.a.read.terms[k], &p.b.read.terms[l]
	kind = t.kinds & u.kinds
	switch {
	case kind == 0, t.id == u.id, kind == pathKind && (p.overlap(t, u) || (t.role|u.role)&topic != 0):
		return 0, false
	case !t.chosen() || !x.only && p.b.read.affirms(t.id), !u.chosen() || !y.only && p.a.read.affirms(u.id):
		return 0, false
	case x.only && p.a.read.affirms(u.id), y.only && p.b.read.affirms(t.id):
		return 0, false
	case !p.a.read.alone(k, kind) && !y.leavesNone(), !p.b.read.alone(l, kind) && !x.leavesNone():
		return 0, false
	}
	return kind, p.together(beside(x.conditions, t.id), beside(y.conditions, u.id))
}

// leavesNone reports a clause that leaves no room for a second of a kind, and so
// excludes a list of others too.
func (c *clause) leavesNone() bool { return c.only || c.signs&hasUniversal != 0 }

// leavesNone reports that one clause leaves no room for what the other says: it
// says so ("only"), or it is about all of what the other is about.
func (p *pair) leavesNone(x, y *clause) bool {
	if x.only || y.only {
		return true
	}
	return (x.signs|y.signs)&hasUniversal != 0 && !x.reserved && !y.reserved && (p.scopes == nested || x.verb > x.from && y.verb > y.from && p.a.subjectIn(x, p.b) && p.b.subjectIn(y, p.a))
}

// nearThing is sameThing for where one claim leaves no room for others: enough is
// shared, and nothing tells the one from the other.
func (p *pair) nearThing(g agreement) bool {
	a, b := &g.restA, &g.restB
	switch {
	case g.common <= strongWeight, min(a.strong, b.strong) > g.strong, g.contrasting:
		return false
	case min(a.owning, b.owning) > 0, min(a.figures, b.figures) > 0:
		return false
	}
	return p.scopes != elsewhere || g.topic
}

// chosen reports one of a kind that is said to be in use.
func (t *term) chosen() bool { return t.kinds != 0 && t.value == 0 && t.role&shadow == 0 }

// affirms reports whether the claim speaks of something other than to say that it
// is not there, or not accepted.
func (r *reading) affirms(id uint32) bool {
	for i := range r.clauses {
		if x := &r.clauses[i]; !x.dismisses && r.findIn(id, x.from, x.to) >= 0 {
			return true
		}
	}
	return false
}

// overlap reports paths of which one may be the end or the beginning of the
// other.
func (p *pair) overlap(t, u *term) bool {
	x, y := p.a.word(t), p.b.word(u)
	return strings.Contains(x, y) || strings.Contains(y, x) || x[strings.LastIndexByte(x, '/')+1:] == y[strings.LastIndexByte(y, '/')+1:]
}

// alone reports whether term k is the only one of its kind in the claim.
func (r *reading) alone(k int, kind uint64) bool {
	for i := range r.terms {
		if t := &r.terms[i]; i != k && t.kinds&kind != 0 && t.id != r.terms[k].id && t.role&shadow == 0 && r.affirms(t.id) {
			return false
		}
	}
	return true
}
