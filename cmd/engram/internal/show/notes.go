// Package show prints facts, conflicts and notes the same way in every command.
package show

import (
	"strings"

	"engram/cmd/internal/term"
)

// Revision writes a revision in full for scripts, and abbreviated for people.
func Revision(out *term.Streams, r string) string {
	if out.Terminal {
		return term.Short(r)
	}
	return r
}

// Notes prints what was decided or went wrong beside the main thing.
func Notes(out *term.Streams, list []string) {
	for _, note := range list {
		out.Message("note: %s", note)
	}
}

// Withheld says that permissions keep something from who reads.
func Withheld(out *term.Streams, n int, which string) {
	if n > 0 {
		out.Message("note: %d more that %s may not be read by this agent (engram.yml)", n, which)
	}
}

// Damaged says that some files could not be read; the rest could.
func Damaged(out *term.Streams, n int) {
	if n > 0 {
		out.Message("note: %s on the branch left out; `engram lint` says why", term.Plural(n, "file that is no fact was", "files that are no facts were"))
	}
}

// NameOf is a person without the address.
func NameOf(engineer string) string {
	name, _, _ := strings.Cut(engineer, " <")
	return name
}

// Origin says which source a fact comes from; "" for this memory.
func Origin(origin string) string { return term.Either(origin == "", "", "from "+origin) }

// Address is how engram get names a fact.
func Address(origin, key string) string {
	if origin == "" {
		return key
	}
	return origin + ":" + key
}
