// Package clash finds where the statements of two claims exclude each other, and says
// how sure that is.
//
// It works in two steps. Reading proposes candidates generously, one file a family:
// quantities, words, names, order, sets. Each candidate is then described by features
// (features.go), of which a model makes a probability (model.go). The model is in
// learned.go, made from labelled pairs by `engram-eval weights` (docs/detection.md). The
// likeliest candidate decides; what else the claims say does not count against it.
//
// The package is pure, deterministic and symmetric: exchanging the claims exchanges the
// sides and changes nothing else.
package clash

import (
	"engram/detect/finding"
	"engram/detect/frame"
)

// Family is the kind of a clash.
type Family string

// The families.
const (
	Number      Family = "number"      // counts and values without a unit
	Measure     Family = "measure"     // times, sizes, rates and other values with a unit
	Share       Family = "share"       // percentages and ratios
	Port        Family = "port"        // ports
	Version     Family = "version"     // versions
	Calendar    Family = "calendar"    // dates, times of day, weekdays
	Polarity    Family = "polarity"    // one denies what the other states
	Opposite    Family = "opposite"    // two ends of an opposition
	Alternative Family = "alternative" // two of a kind of which there is one
	Identifier  Family = "identifier"  // two identifiers or paths in one place
	Name        Family = "name"        // two proper names in one place
	Order       Family = "order"       // the order or the direction is turned around
	Quantifier  Family = "quantifier"  // all or none, and a case to the contrary
	List        Family = "list"        // a complete list, and another
	Policy      Family = "policy"      // a rule, and its breach
	Rest        Family = "statement"   // nothing of these
	// Owner is what Find calls names of those who are responsible.
	Owner Family = "owner"
)

// families lists every family, in the order of their features.
func families() [16]Family {
	return [...]Family{Number, Measure, Share, Port, Version, Calendar, Polarity, Opposite, Alternative, Identifier, Name, Order, Quantifier, List, Policy, Rest}
}

// Clash is the best candidate between two claims.
type Clash struct {
	Family      Family
	Probability float64
	A, B        finding.Place
	Explanation string // in which "here" is the first claim
	// Newer is the side that says that the other is past.
	Newer finding.Side
	// Apart tells that the claims may well both hold, whatever the probability: they name
	// different things, circumstances or times, or one makes an exception.
	Apart bool
	// OtherNames tells that each names an identifier, a path or a number of its own: they
	// are about two things.
	OtherNames bool
	// OtherCase tells that each names a circumstance that the other does not have.
	OtherCase bool
}

// Context is what is known of two claims besides their words.
type Context struct {
	// Ruled is how sure a rule is that they clash, 0 without one.
	Ruled float64
	// Least is the probability below which no explanation is asked for.
	Least float64
}

// Find returns the best candidate between two claims; ok is false if they are not about
// one thing.
func Find(a, b *frame.Frame, known Context) (c Clash, ok bool) {
	if a.Text == b.Text || !meets(a.Keys, b.Keys) {
		return Clash{}, false
	}
	swapped := b.Text < a.Text
	if swapped {
		a, b = b, a
	}
	p := newPair(a, b, known)
	best := p.best(&learned)
	c = Clash{
		Family: best.reported(), Probability: best.probability, A: p.a.place(best.a), B: p.b.place(best.b), Newer: p.newer(best), Apart: p.apart(best), OtherCase: p.otherCase(best),
		OtherNames: p.ownNames(best) || p.numbered(),
	}
	if best.probability >= known.Least {
		c.Explanation = p.explain(best, swapped)
	}
	if swapped {
		c = c.swap()
	}
	return c, true
}

func (c Clash) swap() Clash {
	c.A, c.B = c.B, c.A
	switch c.Newer {
	case finding.SideA:
		c.Newer = finding.SideB
	case finding.SideB:
		c.Newer = finding.SideA
	}
	return c
}

// meets reports whether two sorted lists have an element in common.
func meets(x, y []uint32) bool {
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] == y[0]:
			return true
		case x[0] < y[0]:
			x = x[1:]
		default:
			y = y[1:]
		}
	}
	return false
}

// reported returns the family of a candidate as callers see it.
func (c candidate) reported() Family {
	if c.family == Name && c.what != "" {
		return Owner
	}
	return c.family
}
