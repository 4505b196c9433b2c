package conflicts

import (
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/term"
	"engram/memory"
)

// printForeign prints the clashes with facts of sources; side A is ours.
func printForeign(out *term.Streams, list []memory.ForeignClash) {
	for _, c := range list {
		theirs := show.Address(c.Origin, c.Theirs.Key.String())
		if !out.Terminal {
			out.Row("foreign", "", c.Severity, c.Verdict, c.Tier, c.Ours.Scope, c.Ours.Key.String(), theirs, c.Explanation)
			continue
		}
		out.Printf("%s  %s\n", out.Color.Yellow("foreign"), term.Indented(term.Plain(c.Explanation), out.Width, "  "))
		out.Painted(out.Color.Dim, "  ", term.Dotted(show.Origin(c.Origin), c.Severity, c.Verdict, c.Tier))
		out.Pairs("  ", []term.Pair{{c.Ours.Key.String(), c.Ours.Claim}, {theirs, c.Theirs.Claim}})
		out.Printf("\n")
	}
}

// printForeignNotes prints notes instead of rows, for commands whose rows in a pipe
// mean something else.
func printForeignNotes(out *term.Streams, list []memory.ForeignClash) {
	if out.Terminal {
		printForeign(out, list)
		return
	}
	for _, c := range list {
		out.Message("note: %s clashes with %s: %s", c.Ours.Key.String(), show.Address(c.Origin, c.Theirs.Key.String()), c.Explanation)
	}
}

func foreignCount(list []memory.ForeignClash) string {
	return term.Some(len(list), "clash with a source, which does not fail", "clashes with sources, which do not fail")
}
