package show

import (
	"cmp"
	"strings"

	"engram/cmd/internal/term"
	"engram/memory"
)

// Session prints the two lines that stand for a session in a list of sessions.
func Session(out *term.Streams, s memory.SessionSummary, all []memory.SessionSummary) {
	out.Printf("%s  %s\n", out.Color.Yellow(term.Plain(shortID(s, all))), out.Color.Bold(term.Indented(term.Plain(Title(s.Title)), out.Width, SessionIndent)))
	about := append([]string{s.Client, s.Branch, term.Ago(out.Now(), s.Ended)}, Counted(s)...)
	out.Printf("%s%s\n", SessionIndent, out.Color.Dim(term.Dotted(about...)))
}

// SessionIndent is the space before what is said of a session.
const SessionIndent = "          "

// Counted says how much a session has, for a person.
func Counted(s memory.SessionSummary) []string {
	var live string
	if s.Live {
		live = "at work"
	}
	return []string{
		term.Plural(s.Turns, "turn", "turns"), term.Some(len(s.Commits), "commit", "commits"), term.Some(len(s.Facts), "fact", "facts"), live,
	}
}

// Title is that of a session, or words in its place.
func Title(of string) string { return cmp.Or(of, "(nothing was asked)") }

// shortID abbreviates an id for people: as long as a list needs to tell them apart.
func shortID(s memory.SessionSummary, all []memory.SessionSummary) string {
	const least = 8
	for n := least; n < len(s.ID); n++ {
		same := 0
		for _, other := range all {
			if strings.HasPrefix(other.ID, s.ID[:n]) {
				same++
			}
		}
		if same == 1 {
			return s.ID[:n]
		}
	}
	return s.ID
}
