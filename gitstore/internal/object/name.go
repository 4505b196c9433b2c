package object

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// CheckPath rejects a path that git could store but not check out, or that could
// attack a checkout.
func CheckPath(path string) error {
	control := strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' })
	if control || Hostile(path) || !utf8.ValidString(path) {
		return fmt.Errorf("%q is not a valid path for a file of the memory", path)
	}
	return nil
}

// Hostile reports whether path could attack a checkout: a segment of it is empty,
// . or .., or .git under any of the names that some file system accepts for it.
func Hostile(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		plain := strings.ToLower(strings.TrimRight(segment, " ."))
		plain, _, _ = strings.Cut(plain, ":")
		if plain == "" || plain == ".git" || plain == "git~1" {
			return true
		}
	}
	return false
}
