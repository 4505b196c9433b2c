package main

import "engram/memory"

// foreign prints the clashes with facts of sources; side A is ours.
func (io *streams) foreign(list []memory.ForeignClash) {
	for _, c := range list {
		theirs := address(c.Origin, c.Theirs.Key.String())
		if !io.terminal {
			io.row("foreign", "", c.Severity, c.Verdict, c.Tier, c.Ours.Scope, c.Ours.Key.String(), theirs, c.Explanation)
			continue
		}
		io.printf("%s  %s\n", io.color.yellow("foreign"), indented(plain(c.Explanation), io.width, "  "))
		io.printf("  %s\n", io.color.dim(indented(dotted(from(c.Origin), c.Severity, c.Verdict, c.Tier), io.width, "  ")))
		io.pairs("  ", []pair{{c.Ours.Key.String(), c.Ours.Claim}, {theirs, c.Theirs.Claim}})
		io.printf("\n")
	}
}

// foreignNotes is foreign where rows in a pipe mean something else.
func (io *streams) foreignNotes(list []memory.ForeignClash) {
	if io.terminal {
		io.foreign(list)
		return
	}
	for _, c := range list {
		io.message("note: %s clashes with %s: %s", c.Ours.Key.String(), address(c.Origin, c.Theirs.Key.String()), c.Explanation)
	}
}

func foreignCount(list []memory.ForeignClash) string {
	if len(list) == 0 {
		return ""
	}
	return plural(len(list), "clash with a source, which does not fail", "clashes with sources, which do not fail")
}
