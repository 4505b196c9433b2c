package rule

import (
	"strings"

	"engram/detect/claim"
	"engram/detect/lexicon"
)

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
func product(v *claim.Value) uint32 {
	return lexicon.LookUp(lexicon.Lower(v.Name[strings.LastIndexByte(v.Name, '_')+1:])).ID
}

// passing reports a version that is mentioned as the circumstance of something
// else: "on containerd 1.7, ...", "was added in containerd 1.7", "Go 1.22: ...".
func (c side) passing(v *claim.Value) bool {
	x := &c.Clauses[v.Clause]
	if v.From < x.Verb && (v.End < len(c.Text) && c.Text[v.End] == ':' || lexicon.Classify(c.Terms[x.Verb].Lower)&lexicon.Copula == 0) {
		return true
	}
	for i := v.From - 1; i >= x.From && i >= v.From-3; i-- {
		if i == v.From-1 && lexicon.Classify(c.Terms[i].Lower)&lexicon.Label != 0 {
			return true
		}
		switch c.Terms[i].Lower {
		case "in", "into", "since", "before", "until", "after":
			return true
		case "on", "with", "for", "under":
			return i <= x.Verb
		}
	}
	return false
}
