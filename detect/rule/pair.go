package rule

import (
	"slices"

	"engram/detect/claim"
	"engram/detect/finding"
)

// span is a range of terms.
type span struct{ from, to int }

func (s span) has(i int) bool { return i >= s.from && i < s.to }

// side is one of the claims of a pair.
type side struct{ *claim.Claim }

// pair is two claims in the order of their texts, so that what rules find does
// not depend on which is called first.
type pair struct {
	a, b   side
	scopes nearness
	// swapped tells that b is the one called "here".
	swapped bool
}

// clash is what a rule found.
type clash struct {
	rule   rule
	a, b   finding.Place
	what   string // what the values are of, or the words that are said and denied
	tier   finding.Tier
	unsure bool // each claim says something that the other does not
	denied bool // one side denies what the other says
	// replaced tells that the newer side names what took the place of the older's.
	replaced bool
	newer    finding.Side // the side that says of the other's that it is no longer so
}

// has reports whether a claim or its scope has a meaning.
func (c side) has(id uint32) bool { return c.Find(id) >= 0 || c.inScope(id) }

func (c side) inScope(id uint32) bool { return slices.Contains(c.ScopeWords, id) }

// shares reports whether the meaning of a term is in the other claim, or in the scope of
// either.
func (c side) shares(t *claim.Term, other side) bool { return other.has(t.ID) || c.inScope(t.ID) }
