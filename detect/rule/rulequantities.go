package rule

import (
	"slices"
	"strings"

	"engram/detect/claim"
	"engram/detect/entity"
	"engram/detect/lexicon"
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
func (p *pair) sameQuantity(v, w *claim.Value) bool {
	x, y := &p.a.Clauses[v.Clause], &p.b.Clauses[w.Clause]
	limited := p.a.limits(x, v) && p.b.limits(y, w)
	switch {
	case p.oneEnded(x, y), p.a.modified(x, p.b), p.b.modified(y, p.a):
		return false
	case p.a.tellsQuantity(x, v, p.b, limited) || p.b.tellsQuantity(y, w, p.a, limited):
		return false
	case p.a.caseOfItsOwn(v.From, p.b) || p.b.caseOfItsOwn(w.From, p.a):
		return false
	case !p.speaksOfSubject(p.a, x, p.b, y, limited), !p.speaksOfSubject(p.b, y, p.a, x, limited):
		return false
	case v.Type == entity.Number && v.Unit == "count":
		return p.sameCount(v, w)
	case v.Type == entity.Number:
		return p.measures(v, w)
	case v.Type == entity.Port:
		return p.a.portDirection(x, v) == p.b.portDirection(y, w)
	}
	return true
}

// speaksOfSubject reports that what clause x of c is about is spoken of by the other
// claim, or need not be: x names the quantity, or the file that sets it, or says by
// whom.
func (p *pair) speaksOfSubject(c side, x *claim.Clause, other side, y *claim.Clause, limited bool) bool {
	switch {
	case c.subjectIn(x, other), c.setsWhere(x):
		return true
	case c.headMeasures(x):
		return limited || c.tellsAlike(x, other, y) || c.everySo(x, other, y)
	}
	return c.passive(x) && c.says(x, "by") && other.subjectIn(y, c)
}

// everySo reports the interval of something that clause y says happens every so often.
func (c side) everySo(x *claim.Clause, other side, y *claim.Clause) bool {
	for i := x.From + 1; i < x.Verb; i++ {
		if c.says(&claim.Clause{From: i, To: i + 1}, "interval", "period") {
			return other.says(y, "every") && other.FindIn(c.Terms[i-1].ID, y.From, y.To) >= 0
		}
	}
	return false
}

// tellsAlike reports that both clauses have one word that tells quantities apart.
func (c side) tellsAlike(x *claim.Clause, other side, y *claim.Clause) bool {
	for i := x.From; i < x.To; i++ {
		if t := &c.Terms[i]; t.Traits&lexicon.Contrast != 0 && other.FindIn(t.ID, y.From, y.To) >= 0 {
			return true
		}
	}
	return false
}

// sameCount reports that two numbers count one thing: the noun behind the one stands
// beside the other too; or neither has one, and what is named before them is one.
func (p *pair) sameCount(v, w *claim.Value) bool {
	x, y := p.a.counted(v), p.b.counted(w)
	if len(x)+len(y) == 0 {
		return v.Name != "" && w.Name != "" && p.b.speaksOf(v.Name) && p.a.speaksOf(w.Name) || p.measures(v, w)
	}
	return (len(x) == 0 || p.b.besideAny(w, x)) && (len(y) == 0 || p.a.besideAny(v, y))
}

// counted returns the meanings of the noun right behind a number, and of what stands
// before the noun.
func (c side) counted(v *claim.Value) (ids []uint32) {
	for i := v.To; i < c.Clauses[v.Clause].To && i < v.To+2; i++ {
		t := &c.Terms[i]
		if t.Role&(claim.StopWord|claim.Denial) != 0 || t.ValueIndex > 0 || lexicon.Classify(t.Lower)&(lexicon.Prep|lexicon.Copula|lexicon.Have|lexicon.ClauseStart|lexicon.When|lexicon.Conj) != 0 || t.Start > v.End+1 && len(ids) == 0 {
			break
		}
		ids = append(ids, t.ID)
	}
	return ids
}

// besideAny reports whether one of some meanings stands near a value.
func (c side) besideAny(v *claim.Value, ids []uint32) bool {
	for _, i := range c.beside(v) {
		if i >= 0 && slices.Contains(ids, c.Terms[i].ID) {
			return true
		}
	}
	return false
}

// measures reports a noun of a quantity or a word of the predicate that both clauses
// have.
func (p *pair) measures(v, w *claim.Value) bool {
	x, y := &p.a.Clauses[v.Clause], &p.b.Clauses[w.Clause]
	if strings.Contains(v.Unit, "/") || p.a.keeps(x) && p.b.keeps(y) || p.a.limits(x, v) && p.b.limits(y, w) {
		return true
	}
	for i := x.From; i < x.To; i++ {
		t := &p.a.Terms[i]
		j := p.b.FindIn(t.ID, y.From, y.To)
		if j < 0 || t.ValueIndex > 0 || t.Role&(claim.StopWord|claim.Unasserted|claim.Named|claim.Unique) != 0 {
			continue
		}
		if t.Traits&(lexicon.Quantity|lexicon.Contrast) != 0 || lexicon.Classify(t.Lower)&(lexicon.Attr|lexicon.Lifetime) != 0 || t.Weight >= claim.StrongWeight && (i >= x.Verb || j >= y.Verb) {
			return true
		}
	}
	return false
}

// keeps reports a clause about how long something is kept: retained, expires, purged
// after.
func (c side) keeps(x *claim.Clause) bool {
	return c.says(x, "keep", "keeps", "kept", "retain", "retains", "retained", "retention", "purge", "purges", "purged", "prune", "pruned", "hold", "holds",
		"delete", "deletes", "deleted", "expire", "expires", "expired", "expiry", "ttl", "lifetime", "lives", "live", "lasts", "last", "evicted", "evicts", "removed", "replay")
}

// limits reports a clause in which a value is the most or the least that there may be.
func (c side) limits(x *claim.Clause, v *claim.Value) bool {
	return v.Bound == entity.AtMost || v.Bound == entity.AtLeast ||
		c.says(x, "limit", "limits", "limited", "max", "maximum", "cap", "capped", "caps", "ceiling", "larger", "budget", "grow", "most", "above", "over", "minimum", "min")
}

// mostBehind is how far behind a value a word may tell what it is of.
const mostBehind = 10

// tellsQuantity reports a word in clause x that tells quantities apart and that the
// other claim and its scope lack.
func (c side) tellsQuantity(x *claim.Clause, v *claim.Value, other side, limited bool) bool {
	for i := x.From; i < min(x.To, v.To+mostBehind); i++ {
		t := &c.Terms[i]
		ofValue := i >= v.From && i < v.To
		idleConnection := strings.HasPrefix(t.Lower, "connection") && c.says(x, "idle")
		if !ofValue && !idleConnection && contrasts(t) && !c.shares(t, other) && !(limited && extreme(t.Lower)) {
			return true
		}
	}
	return false
}

// contrasts reports a word that tells one quantity from another.
func contrasts(t *claim.Term) bool {
	if t.Role&(claim.Unasserted|claim.Named) != 0 || t.Lower == "new" || t.Lower == "window" {
		return false
	}
	return t.Traits&lexicon.Contrast != 0 || modifies(t.Lower)
}

// extreme reports the words that say no more than that a value is a limit.
func extreme(w string) bool {
	switch w {
	case "max", "maximum", "min", "minimum", "upload":
		return true
	}
	return false
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

// portDirection tells whether a clause speaks of a port on which something listens, or of one
// to which it connects.
func (c side) portDirection(x *claim.Clause, v *claim.Value) int {
	if i := v.From - 1; i >= x.From && c.Terms[i].Lower == "to" && !c.says(x, "bound", "binds", "bind", "listens", "set", "moved", "changed", "is") {
		return -1
	}
	for i := x.From; i < x.To; i++ {
		switch c.Terms[i].Lower {
		case "forwards", "forward", "forwarded", "connects", "connect", "talks", "dials", "proxies", "upstream", "upstreams", "backend", "backends",
			"sends", "send", "calls", "maps", "mapped", "targetport", "reports", "pushes", "reaches":
			return -1
		}
	}
	return 1
}

// setsWhere reports a clause of which the subject is the file that sets a value.
func (c side) setsWhere(x *claim.Clause) bool {
	return x.Verb == x.From+1 && (c.Terms[x.From].Kinds&lexicon.PathKind != 0 || strings.Contains(c.Terms[x.From].Lower, "."))
}

// headMeasures reports a clause of which the subject has a noun of a quantity.
func (c side) headMeasures(x *claim.Clause) bool {
	for i := x.From; i < x.Verb; i++ {
		if c.Terms[i].Traits&lexicon.Quantity != 0 {
			return true
		}
	}
	return false
}

// modified reports that what clause x is about has a word before it that the other
// claim speaks of it without: the base image, and the image.
func (c side) modified(x *claim.Clause, other side) bool {
	for i := x.From; i+1 < x.Verb; i++ {
		t, head := &c.Terms[i], &c.Terms[i+1]
		if isModifier(t, head) && !c.shares(t, other) && other.has(head.ID) {
			return true
		}
	}
	return false
}

// isModifier reports whether a term may modify the noun behind it.
func isModifier(t, head *claim.Term) bool {
	switch {
	case t.Weight < claim.StrongWeight && t.Traits&lexicon.Relation == 0, t.Kinds != 0, t.Lower == "failed":
		return false
	case t.Role&(claim.StopWord|claim.Unasserted|claim.Denial) != 0, head.Role&claim.StopWord != 0:
		return false
	}
	return t.End+1 >= head.Start
}

// oneEnded reports that one of two clauses speaks of what was so until something.
func (p *pair) oneEnded(x, y *claim.Clause) bool { return p.a.says(x, "until") != p.b.says(y, "until") }

// selects reports a bound that says which things a clause is about: "logs older than
// 30 days are compressed".
func (c side) selects(e *entity.Entity, x *claim.Clause) bool {
	return e.Type == entity.Number && (e.Bound == entity.AtLeast || e.Bound == entity.AtMost) && c.At(e.Start) < x.Verb
}

// happensAlike reports that what clause x says of its subject has a word in common
// with the other.
func (c side) happensAlike(x *claim.Clause, other side) bool {
	for i := x.Verb; i < x.To; i++ {
		if t := &c.Terms[i]; t.Weight >= claim.StrongWeight && t.ValueIndex == 0 && other.has(t.ID) {
			return true
		}
	}
	return false
}
