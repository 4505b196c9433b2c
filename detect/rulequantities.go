package detect

import (
	"slices"
	"strings"
)

// sameQuantity reports that two values that are named in other words are of one
// quantity. Alike units and an alike subject are not enough:
//
//  1. What is measured is named on both sides: the noun that is counted, the noun of
//     the quantity, or the verb that governs it.
//  2. Neither side has a word that tells quantities apart, and that the other lacks:
//     idle, max, first, p99.
//  3. Neither holds for a case of its own (cases.go).
//  4. What each is about, the other speaks of.
//  5. Neither is part of a list or a range, or of what is in parts.
func (p *pair) sameQuantity(v, w *stated) bool {
	x, y := &p.a.read.clauses[v.clause], &p.b.read.clauses[w.clause]
	limited := p.a.limits(x, v) && p.b.limits(y, w)
	switch {
	case p.ended(x, y), p.a.modified(x, p.b), p.b.modified(y, p.a):
		return false
	case p.a.tellsQuantity(x, v, p.b, limited) || p.b.tellsQuantity(y, w, p.a, limited):
		return false
	case p.a.caseOfItsOwn(v.from, p.b) || p.b.caseOfItsOwn(w.from, p.a):
		return false
	case !p.speaksOfSubject(p.a, x, p.b, y, limited), !p.speaksOfSubject(p.b, y, p.a, x, limited):
		return false
	case v.Type == Number && v.Unit == "count":
		return p.sameCount(v, w)
	case v.Type == Number:
		return p.measures(v, w)
	case v.Type == Port:
		return p.a.faces(x, v) == p.b.faces(y, w)
	}
	return true
}

// speaksOfSubject reports that what clause x of c is about is spoken of by the other
// claim, or need not be: x names the quantity, or the file that sets it, or says by
// whom.
func (p *pair) speaksOfSubject(c side, x *clause, other side, y *clause, limited bool) bool {
	switch {
	case c.subjectIn(x, other), c.setsWhere(x):
		return true
	case c.headMeasures(x):
		return limited || c.tellsAlike(x, other, y) || c.everySo(x, other, y)
	}
	return c.passive(x) && c.says(x, "by") && other.subjectIn(y, c)
}

// everySo reports the interval of something that clause y says happens every so often.
func (c side) everySo(x *clause, other side, y *clause) bool {
	for i := x.from + 1; i < x.verb; i++ {
		if c.says(&clause{from: i, to: i + 1}, "interval", "period") {
			return other.says(y, "every") && other.read.findIn(c.read.terms[i-1].id, y.from, y.to) >= 0
		}
	}
	return false
}

// tellsAlike reports that both clauses have one word that tells quantities apart.
func (c side) tellsAlike(x *clause, other side, y *clause) bool {
	for i := x.from; i < x.to; i++ {
		if t := &c.read.terms[i]; t.traits&contrast != 0 && other.read.findIn(t.id, y.from, y.to) >= 0 {
			return true
		}
	}
	return false
}

// sameCount reports that two numbers count one thing: the noun behind the one stands
// beside the other too; or neither has one, and what is named before them is one.
func (p *pair) sameCount(v, w *stated) bool {
	x, y := p.a.counted(v), p.b.counted(w)
	if len(x)+len(y) == 0 {
		return v.Name != "" && w.Name != "" && p.b.speaksOf(v.Name) && p.a.speaksOf(w.Name) || p.measures(v, w)
	}
	return (len(x) == 0 || p.b.besideAny(w, x)) && (len(y) == 0 || p.a.besideAny(v, y))
}

// counted returns the meanings of the noun right behind a number, and of what stands
// before the noun.
func (c side) counted(v *stated) (ids []uint32) {
	for i := v.to; i < c.read.clauses[v.clause].to && i < v.to+2; i++ {
		t := &c.read.terms[i]
		if t.role&(glue|denial) != 0 || t.value > 0 || classify(t.low)&(prep|be|have|starts|when|conj) != 0 || t.start > v.End+1 && len(ids) == 0 {
			break
		}
		ids = append(ids, t.id)
	}
	return ids
}

// besideAny reports whether one of some meanings stands near a value.
func (c side) besideAny(v *stated, ids []uint32) bool {
	for _, i := range c.beside(v) {
		if i >= 0 && slices.Contains(ids, c.read.terms[i].id) {
			return true
		}
	}
	return false
}

// measures reports a noun of a quantity or a word of the predicate that both clauses
// have.
func (p *pair) measures(v, w *stated) bool {
	x, y := &p.a.read.clauses[v.clause], &p.b.read.clauses[w.clause]
	if strings.Contains(v.Unit, "/") || p.a.keeps(x) && p.b.keeps(y) || p.a.limits(x, v) && p.b.limits(y, w) {
		return true
	}
	for i := x.from; i < x.to; i++ {
		t := &p.a.read.terms[i]
		j := p.b.read.findIn(t.id, y.from, y.to)
		if j < 0 || t.value > 0 || t.role&(glue|shadow|named|owning) != 0 {
			continue
		}
		if t.traits&(quantity|contrast) != 0 || classify(t.low)&(attr|life) != 0 || t.weight >= strongWeight && (i >= x.verb || j >= y.verb) {
			return true
		}
	}
	return false
}

// keeps reports a clause about how long something is kept: retained, expires, purged
// after.
func (c side) keeps(x *clause) bool {
	return c.says(x, "keep", "keeps", "kept", "retain", "retains", "retained", "retention", "purge", "purges", "purged", "prune", "pruned", "hold", "holds",
		"delete", "deletes", "deleted", "expire", "expires", "expired", "expiry", "ttl", "lifetime", "lives", "live", "lasts", "last", "evicted", "evicts", "removed", "replay")
}

// limits reports a clause in which a value is the most or the least that there may be.
func (c side) limits(x *clause, v *stated) bool {
	return v.Bound == AtMost || v.Bound == AtLeast ||
		c.says(x, "limit", "limits", "limited", "max", "maximum", "cap", "capped", "caps", "ceiling", "larger", "budget", "grow", "most", "above", "over", "minimum", "min")
}

// mostBehind is how far behind a value a word may tell what it is of.
const mostBehind = 10

// tellsQuantity reports a word in clause x that tells quantities apart and that the
// other claim and its scope lack.
func (c side) tellsQuantity(x *clause, v *stated, other side, limited bool) bool {
	for i := x.from; i < min(x.to, v.to+mostBehind); i++ {
		t := &c.read.terms[i]
		if i >= v.from && i < v.to || t.role&(shadow|named) != 0 || t.traits&contrast == 0 && !modifies(t.low) || t.low == "new" || t.low == "window" || other.has(t.id) || c.inScope(t.id) || limited && extreme(t.low) || strings.HasPrefix(t.low, "connection") && c.says(x, "idle") {
			continue
		}
		return true
	}
	return false
}

// extreme reports the words that say no more than that a value is a limit.
func extreme(w string) bool {
	return w == "max" || w == "maximum" || w == "min" || w == "minimum" || w == "upload"
}

// modifies reports the words beside the contrasting ones of the lexicon that make of a
// quantity another.
func modifies(w string) bool {
	switch w {
	case "per", "total", "reserved", "free", "spare", "retry", "grace", "warning", "critical", "objective", "measured", "observed", "typical",
		"extra", "additional", "remaining", "part", "half", "quarter", "losing", "lost", "typically", "others", "data", "master":
		return true
	}
	return false
}

// faces tells whether a clause speaks of a port on which something listens, or of one
// to which it connects.
func (c side) faces(x *clause, v *stated) int {
	if i := v.from - 1; i >= x.from && c.read.terms[i].low == "to" && !c.says(x, "bound", "binds", "bind", "listens", "set", "moved", "changed", "is") {
		return -1
	}
	for i := x.from; i < x.to; i++ {
		switch c.read.terms[i].low {
		case "forwards", "forward", "forwarded", "connects", "connect", "talks", "dials", "proxies", "upstream", "upstreams", "backend", "backends",
			"sends", "send", "calls", "maps", "mapped", "targetport", "reports", "pushes", "reaches":
			return -1
		}
	}
	return 1
}

// has reports whether a claim or its scope has a meaning.
func (c side) has(id uint32) bool { return c.read.find(id) >= 0 || c.inScope(id) }

func (c side) inScope(id uint32) bool { return slices.Contains(c.read.scope, id) }

// setsWhere reports a clause of which the subject is the file that sets a value.
func (c side) setsWhere(x *clause) bool {
	return x.verb == x.from+1 && (c.read.terms[x.from].kinds&pathKind != 0 || strings.Contains(c.read.terms[x.from].low, "."))
}

// headMeasures reports a clause of which the subject has a noun of a quantity.
func (c side) headMeasures(x *clause) bool {
	for i := x.from; i < x.verb; i++ {
		if c.read.terms[i].traits&quantity != 0 {
			return true
		}
	}
	return false
}

// modified reports that what clause x is about has a word before it that the other
// claim speaks of it without: the base image, and the image.
func (c side) modified(x *clause, other side) bool {
	for i := x.from; i+1 < x.verb; i++ {
		t, head := &c.read.terms[i], &c.read.terms[i+1]
		if t.weight < strongWeight && t.traits&relation == 0 || t.kinds != 0 || t.low == "failed" || t.role&(glue|shadow|denial) != 0 || t.end+1 < head.start || head.role&glue != 0 || other.has(t.id) || c.inScope(t.id) {
			continue
		}
		if other.has(head.id) {
			return true
		}
	}
	return false
}

// ended reports that one of two clauses speaks of what was so until something.
func (p *pair) ended(x, y *clause) bool { return p.a.says(x, "until") != p.b.says(y, "until") }

// selects reports a bound that says which things a clause is about: "logs older than
// 30 days are compressed".
func (c side) selects(e *Entity, x *clause) bool {
	return e.Type == Number && (e.Bound == AtLeast || e.Bound == AtMost) && c.read.at(e.Start) < x.verb
}

// happensAlike reports that what clause x says of its subject has a word in common
// with the other.
func (c side) happensAlike(x *clause, other side) bool {
	for i := x.verb; i < x.to; i++ {
		if t := &c.read.terms[i]; t.weight >= strongWeight && t.value == 0 && other.has(t.id) {
			return true
		}
	}
	return false
}
