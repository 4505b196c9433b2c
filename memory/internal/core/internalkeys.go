package core

import (
	"slices"
	"strings"

	"engram/detect"
	"engram/facts"
)

// InvitePrefix is where invitations stand on the branch.
const InvitePrefix = "tool/engram-invite"

// InternalPrefixes are the prefixes of keys that engram keeps for its own use, without
// those that keyPrefix asks for. Queries do not find these keys, lists omit them and
// audits ignore them.
//
//  1. Conflicts: they are shown with the facts that they concern.
//  2. Invitations and who used them.
func InternalPrefixes(keyPrefix string) []string {
	return slices.DeleteFunc([]string{detect.ConflictPrefix, InvitePrefix}, func(p string) bool {
		return strings.HasPrefix(keyPrefix, p)
	})
}

// IsInternal reports whether a key is below one of InternalPrefixes.
func IsInternal(k facts.Key) bool { return HasAnyPrefix(k.String(), InternalPrefixes("")) }

// HasAnyPrefix reports whether a key, or its path, is below one of prefixes.
func HasAnyPrefix(key string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p+"/") })
}
