package detect

import "strings"

// sameEvent reports that two dates are of one event: neither claim tells its own
// from another. Entries of a log, which begin with their dates, are of one only if
// they say the same.
func (g *agreement) sameEvent(log bool) bool {
	a, b := &g.restA, &g.restB
	if log {
		return a.strong+b.strong == 0
	}
	return a.figures+b.figures == 0 && a.qualified+b.qualified == 0 && max(a.strong, b.strong) == 0
}

// product returns the meaning of the last word of what a version is of.
func product(v *stated) uint32 {
	return lookUp(lower(v.Name[strings.LastIndexByte(v.Name, '_')+1:])).id
}

// exact reports a version to the last digit, as lock files have them.
func (v *stated) exact() bool { return v.Bound == Exactly && strings.Count(v.Text, ".") > 1 }

// passing reports a version that is mentioned as the circumstance of something
// else: "on containerd 1.7, ...", "was added in containerd 1.7", "Go 1.22: ...".
func (c side) passing(v *stated) bool {
	x := &c.read.clauses[v.clause]
	if v.from < x.verb && (v.End < len(c.Text) && c.Text[v.End] == ':' || classify(c.read.terms[x.verb].low)&be == 0) {
		return true
	}
	for i := v.from - 1; i >= x.from && i >= v.from-3; i-- {
		if i == v.from-1 && classify(c.read.terms[i].low)&label != 0 {
			return true
		}
		switch c.read.terms[i].low {
		case "in", "into", "since", "before", "until", "after":
			return true
		case "on", "with", "for", "under":
			return i <= x.verb
		}
	}
	return false
}
