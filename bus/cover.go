package bus

import (
	"fmt"
	"strings"

	"engram/facts"
	"engram/internal/lazyregexp"
)

// Covers reports whether a grant permits reading an address:
//
//	type      the same
//	path      the same; with Prefix a file or fact below it, at a folder's boundary
//	commit    the same, as far as both have digits; any, if the grant names none
//	lines     within those of the grant; any, if the grant names none
//	section   or test, the same; any, if the grant names none
//	version   of a fact, the same; any, if the grant names none
//
// A grant for a file without lines covers all lines.
func (g Grant) Covers(a facts.Address) bool {
	own, err := g.address()
	return err == nil && covers(own, g.Prefix, a)
}

// CommitFor returns the commit that a grant names for the file of an address without one;
// "" if the grant names none or is for another file.
func (g Grant) CommitFor(a facts.Address) string {
	own, err := g.address()
	if err != nil || own.Type != a.Type || a.Path != own.Path && !(g.Prefix && strings.HasPrefix(a.Path, own.Path+"/")) {
		return ""
	}
	return own.Commit
}

// commitBelow matches the commit of a prefix that ends in a slash, as repo:folder/@0a1b2c3.
var commitBelow = lazyregexp.New(`/(@[0-9a-f]{7,64})$`)

// address parses the grant's pointer; of a prefix, without the slash at its end.
func (g Grant) address() (facts.Address, error) {
	ref := g.Pointer
	if g.Prefix {
		ref = strings.TrimSuffix(commitBelow.ReplaceAllString(ref, "$1"), "/")
	}
	a, err := facts.ParseRef(ref)
	switch {
	case err != nil:
		return a, err
	case a.Type == facts.PointURL:
		return a, fmt.Errorf("pointer %q: an address outside the repository is never fetched", g.Pointer)
	case g.Prefix && (a.FirstLine > 0 || a.Name != "" || a.Version != ""):
		return a, fmt.Errorf("pointer %q: a prefix cannot have lines, a section, a test or a version", g.Pointer)
	}
	return a, nil
}

func covers(own facts.Address, prefix bool, a facts.Address) bool {
	path := a.Path == own.Path || prefix && strings.HasPrefix(a.Path, own.Path+"/")
	commit := own.Commit == "" || sameCommit(own.Commit, a.Commit)
	lines := own.FirstLine == 0 || a.FirstLine >= own.FirstLine && a.LastLine <= own.LastLine
	name := own.Name == "" || a.Name == own.Name
	version := own.Version == "" || a.Version == own.Version
	sides := sameRevision(own.From, a.From) && sameRevision(own.To, a.To)
	return a.Type == own.Type && path && commit && lines && name && version && sides
}

// shortCommit is the least number of digits that name a commit.
const shortCommit = 7

func sameCommit(a, b string) bool {
	if len(a) < shortCommit || len(b) < shortCommit {
		return false
	}
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

var digits = lazyregexp.New(`^[0-9a-f]{7,64}$`)

// sameRevision compares the sides of diffs: commits or other names.
func sameRevision(a, b string) bool {
	return a == b || digits.MatchString(a) && digits.MatchString(b) && sameCommit(a, b)
}
