package object

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// CheckPath refuses a path that git could store but not check out, or that a
// checkout could be attacked with.
func CheckPath(path string) error {
	control := strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' })
	if control || Hostile(path) || !utf8.ValidString(path) {
		return fmt.Errorf("%q is no path for a file of the memory", path)
	}
	return nil
}

// Hostile reports whether a checkout could be attacked with path: a segment of
// it is nothing, the folder itself or the one above, or git's own folder under
// any of the names that some file system knows it by.
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
