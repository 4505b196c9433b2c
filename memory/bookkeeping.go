package memory

import (
	"slices"
	"strings"

	"engram/detect"
	"engram/facts"
)

// invitePrefix is where invitations stand on the branch.
const invitePrefix = "tool/engram-invite"

// unasked are the prefixes of keys that hold what engram keeps for its own use.
// No question finds them, no list shows them and no audit holds them against
// anything, unless somebody asks for keys with that prefix.
//
//  1. Conflicts: they are said of the facts that they concern.
//  2. Invitations and who used them.
func unasked(keyPrefix string) []string {
	return slices.DeleteFunc([]string{detect.ConflictPrefix, invitePrefix}, func(p string) bool {
		return strings.HasPrefix(keyPrefix, p)
	})
}

func bookkeeping(k facts.Key) bool { return underAny(k.String(), unasked("")) }

// underAny reports whether a key, or the path of one, is below one of prefixes.
func underAny(key string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p+"/") })
}
