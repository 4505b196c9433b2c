package core

import (
	"slices"
	"strings"

	"engram/detect"
	"engram/facts"
)

// InvitePrefix is where invitations stand on the branch.
const InvitePrefix = "tool/engram-invite"

// InternalPrefixes are the prefixes of keys that hold what engram keeps for its own use.
// No question finds them, no list shows them and no audit holds them against
// anything, unless somebody asks for keys with that prefix.
//
//  1. Conflicts: they are said of the facts that they concern.
//  2. Invitations and who used them.
func InternalPrefixes(keyPrefix string) []string {
	return slices.DeleteFunc([]string{detect.ConflictPrefix, InvitePrefix}, func(p string) bool {
		return strings.HasPrefix(keyPrefix, p)
	})
}

func IsInternal(k facts.Key) bool { return HasAnyPrefix(k.String(), InternalPrefixes("")) }

// HasAnyPrefix reports whether a key, or the path of one, is below one of prefixes.
func HasAnyPrefix(key string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p+"/") })
}
