package detect

import "strings"

// comparable reports values of one type and dimension. States that are any word
// say too little without an exact slot.
func comparable(v, w *stated) bool {
	if v.Type == State && (v.Unit == Setting || v.Unit == Presence) || generation(v.Entity) || generation(w.Entity) {
		return false
	}
	return v.Type == w.Type && (v.Unit == w.Unit || v.Unit+w.Unit == "months" || v.Unit+w.Unit == "smonth")
}

// generation reports a version that is a name: v2 of an API is another thing
// than v1, and not another value.
func generation(e Entity) bool {
	return e.Type == Release && strings.IndexByte(e.Text, '.') < 0 && e.End-e.Start == len(e.Text)+1
}

const secondsPerMonth = 365.25 * 86400 / 12

// inLimits returns a value in seconds rather than months, and as a bound where
// it is said to be a limit.
func inLimits(v *stated, c side) Entity {
	e := v.Entity
	if e.Unit == "month" {
		e.Value, e.Unit = e.Value*secondsPerMonth, "s"
	}
	if e.Bound == Exactly && strings.Contains(lower(e.Name), "max") {
		e.Bound = AtMost
	}
	if e.Type == Date && v.from > 0 && e.Bound == Exactly {
		e.Bound = boundOf(c.read.terms[v.from-1].low)
	}
	for i := v.near; i < v.far; i++ {
		if t := &c.read.terms[i]; e.Type == Date && e.Bound == Exactly && t.id == finishID && t.role&topic == 0 {
			e.Bound = AtMost // it stops on the day until which it works
		}
		switch t := &c.read.terms[i]; {
		case e.Bound == Exactly && t.id == limitID:
			e.Bound = AtMost
		case e.Bound == AtLeast && (t.opposed < 0 && t.id == allowID || t.id == succeedID):
			e.Bound = AtMost // more than that is refused
		}
	}
	return e
}

// boundOf returns how a preposition limits the date behind it.
func boundOf(w string) Bound {
	switch w {
	case "before", "by", "until":
		return AtMost
	case "after", "since", "from":
		return AtLeast
	}
	return Exactly
}

// below reports whether version a is lower than all that b allows.
func below(a, b Entity) bool {
	return a.Type == Release && a.Bound == Exactly && b.Bound == AtLeast && !a.Negated && !b.Negated && compareVersions(a.Text, b.Text) < 0
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
func alike(x, y Entity) bool {
	if x.Type == Release {
		return strings.HasPrefix(x.Text, y.Text+".") || strings.HasPrefix(y.Text, x.Text+".")
	}
	if x.Type != Number || x.Unit != "s" && x.Unit != "B" {
		return false
	}
	if x.Bound == About && y.Bound == AtMost && x.Value < y.Value || y.Bound == About && x.Bound == AtMost && y.Value < x.Value {
		return true // what is used of it, and how much there may be
	}
	low, high := min(x.Value, y.Value), max(x.Value, y.Value)
	return x.Bound == y.Bound && high > 1024 && high < low*1.1
}

// tierOf returns the tier of values that differ in one scope.
func tierOf(e *Entity) Tier {
	if e.Type == Date || e.Type == State && e.Unit == Stage {
		return TierTemporal
	}
	return TierEntity
}
