package rule

import (
	"strings"

	"engram/detect/claim"
	"engram/detect/entity"
	"engram/detect/finding"
	"engram/detect/lexicon"
)

// comparable reports values of one type and dimension. States that are any word
// say too little without an exact slot.
func comparable(v, w *claim.Value) bool {
	if v.Type == entity.State && (v.Unit == entity.Setting || v.Unit == entity.Presence) || generation(v.Entity) || generation(w.Entity) {
		return false
	}
	return v.Type == w.Type && (v.Unit == w.Unit || v.Unit+w.Unit == "months" || v.Unit+w.Unit == "smonth")
}

// generation reports a version that is a name: v2 of an API is another thing
// than v1, and not another value.
func generation(e entity.Entity) bool {
	return e.Type == entity.Release && strings.IndexByte(e.Text, '.') < 0 && e.End-e.Start == len(e.Text)+1
}

const secondsPerMonth = 365.25 * 86400 / 12

// inLimits returns a value in seconds rather than months, and as a bound where
// it is said to be a limit.
func inLimits(v *claim.Value, c side) entity.Entity {
	e := v.Entity
	if e.Unit == "month" {
		e.Value, e.Unit = e.Value*secondsPerMonth, "s"
	}
	if e.Bound == entity.Exactly && strings.Contains(lexicon.Lower(e.Name), "max") {
		e.Bound = entity.AtMost
	}
	if e.Type == entity.Date && v.From > 0 && e.Bound == entity.Exactly {
		e.Bound = boundOf(c.Terms[v.From-1].Lower)
	}
	for i := v.Near; i < v.Far; i++ {
		if t := &c.Terms[i]; e.Type == entity.Date && e.Bound == entity.Exactly && t.ID == lexicon.FinishID && t.Role&claim.Topic == 0 {
			e.Bound = entity.AtMost // it stops on the day until which it works
		}
		switch t := &c.Terms[i]; {
		case e.Bound == entity.Exactly && t.ID == lexicon.LimitID:
			e.Bound = entity.AtMost
		case e.Bound == entity.AtLeast && (t.Pole < 0 && t.ID == lexicon.AllowID || t.ID == lexicon.SucceedID):
			e.Bound = entity.AtMost // more than that is refused
		}
	}
	return e
}

// boundOf returns how a preposition limits the date behind it.
func boundOf(w string) entity.Bound {
	switch w {
	case "before", "by", "until":
		return entity.AtMost
	case "after", "since", "from":
		return entity.AtLeast
	}
	return entity.Exactly
}

// below reports whether version a is lower than all that b allows.
func below(a, b entity.Entity) bool {
	return a.Type == entity.Release && a.Bound == entity.Exactly && b.Bound == entity.AtLeast && !a.Negated && !b.Negated && compareVersions(a.Text, b.Text) < 0
}

// compareVersions compares the numbers of two versions.
func compareVersions(a, b string) int {
	for a != "" && b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
	}
	return 0
}

// alike reports values that people take for one: a month and 30 days, a megabyte
// and a mebibyte, 1.22 and 1.22.3.
func alike(x, y entity.Entity) bool {
	if x.Type == entity.Release {
		return strings.HasPrefix(x.Text, y.Text+".") || strings.HasPrefix(y.Text, x.Text+".")
	}
	if x.Type != entity.Number || x.Unit != "s" && x.Unit != "B" {
		return false
	}
	if usesPart(x, y) || usesPart(y, x) {
		return true
	}
	low, high := min(x.Value, y.Value), max(x.Value, y.Value)
	return x.Bound == y.Bound && high > 1024 && high < low*1.1
}

// usesPart reports an approximate value below a limit: the use of something and its
// maximum.
func usesPart(used, limit entity.Entity) bool {
	return used.Bound == entity.About && limit.Bound == entity.AtMost && used.Value < limit.Value
}

// tierOf returns the tier of values that differ in one scope.
func tierOf(e *entity.Entity) finding.Tier {
	if e.Type == entity.Date || e.Type == entity.State && e.Unit == entity.Stage {
		return finding.TierTemporal
	}
	return finding.TierEntity
}
