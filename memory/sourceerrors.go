package memory

import (
	"errors"

	"engram/gitstore"
)

// ErrNotPublished: facts were to be published that must not be; nothing was.
var ErrNotPublished = errors.New("not published")

// sourceErrors are the errors that other repositories and their names give rise
// to, with what to do.
func sourceErrors() []classified {
	return []classified{
		{gitstore.ErrNoSource, CodeUsage, "`engram source list` shows those there are"},
		{gitstore.ErrSourceExists, CodeUsage, "`engram source list` shows it; `engram source rm NAME` makes room"},
		{gitstore.ErrSourceName, CodeUsage, "such as org, or platform-team"},
		{gitstore.ErrScope, CodeUsage, ""},
		{gitstore.ErrAddress, CodeUsage, "a source has an https, ssh or git address, or a path"},
		{gitstore.ErrOurs, CodeUsage, "a source is another repository's memory; colleagues' facts of this one come by `git fetch`"},
		{ErrNotPublished, CodeRefused, "leave them away, change what is said of each, or pass --skip-refused to publish the rest"},
		{gitstore.ErrReadOnly, CodeRefused, "`engram publish` brings facts to a source"},
	}
}

type classified struct {
	err  error
	code Code
	hint string
}

func isOfSources(err error) bool {
	_, found := findClass(err)
	return found
}

func classifySource(err error) (Code, string) {
	c, _ := findClass(err)
	return c.code, c.hint
}

func findClass(err error) (classified, bool) {
	for _, c := range sourceErrors() {
		if errors.Is(err, c.err) {
			return c, true
		}
	}
	return classified{}, false
}
