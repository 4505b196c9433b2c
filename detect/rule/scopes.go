package rule

import (
	"strings"

	"engram/detect/claim"
)

// nearness is how the scopes of two claims lie to each other.
type nearness int

const (
	sameScope nearness = iota
	nested             // one is within the other
	elsewhere
)

// scopesOf compares two scopes.
func scopesOf(a, b string) nearness {
	switch {
	case a == b:
		return sameScope
	case within(a, b) || within(b, a):
		return nested
	}
	return elsewhere
}

// within reports whether scope a lies in scope b; the empty scope has all.
func within(a, b string) bool {
	return b == "" || strings.HasPrefix(a, b) && len(a) > len(b) && a[len(b)] == '/'
}

// ownSubject reports whether two claims are about something of one name.
func (p *pair) ownSubject() bool {
	for i := range p.a.Terms {
		if t := &p.a.Terms[i]; t.Role&claim.Unique != 0 && t.Role&claim.Topic != 0 {
			if at := p.b.Find(t.ID); at >= 0 && p.b.Terms[at].Role&claim.Topic != 0 {
				return true
			}
		}
	}
	return false
}
