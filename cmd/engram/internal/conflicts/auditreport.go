package conflicts

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

// printAudit prints what an audit found. In a pipe the account of its work goes
// beside the rows.
func printAudit(out *term.Streams, r memory.AuditResult, j app.Judges) {
	for _, c := range r.Opened {
		printAuditRow(out, "opened", c, c.Explanation)
	}
	for _, c := range r.Closed {
		printAuditRow(out, "closed", c, c.Reason)
	}
	printViolations(out, r.Violations)
	printForeign(out, r.Foreign)
	found := []string{"nothing new"}
	if len(r.Opened)+len(r.Closed) > 0 {
		found = []string{fmt.Sprintf("%d opened", len(r.Opened)), fmt.Sprintf("%d closed", len(r.Closed))}
	}
	account := []string{
		term.Dotted(append(found, term.Count(r.Known, "known already"))...),
		term.Dotted(term.Plural(r.Facts, "fact", "facts")+" looked at", term.Plural(r.Pairs, "pair", "pairs")+" compared",
			asked(r.Judged, "judged by the cross-encoder"), asked(r.Asked, "put to the language model"), asked(len(r.Corroborated), "say the same"),
			fmt.Sprintf("%.1f s", r.Took), "revision "+term.Short(r.Revision)),
		"tiers: " + strings.Join(r.Tiers, ", "),
	}
	if j.NoNLI != "" {
		account = append(account, "tier 1 absent: "+j.NoNLI)
	}
	if j.NoModel != "" {
		account = append(account, "tier 3 absent: "+j.NoModel)
	}
	account = append(account, skipped(r)...)
	for _, line := range account {
		if out.Terminal {
			out.Printf("%s\n", out.Color.Dim(term.Indented(term.Plain(line), out.Width, "  ")))
		} else {
			out.Message("%s", line)
		}
	}
	show.Notes(out, r.Notes)
	if out.Terminal && len(r.Opened) > 0 {
		out.Message("hint: `engram conflicts` shows them; `engram resolve %s` settles one", show.ShortID(r.Opened[0]))
	}
}

func printAuditRow(out *term.Streams, what string, c memory.Conflict, why string) {
	if !out.Terminal {
		out.Row(what, c.ConflictID, c.Severity, c.Verdict, c.Tier, c.Scope, c.KeyA, c.KeyB, why)
		return
	}
	painted := out.Color.Red
	if what == "closed" {
		painted = out.Color.Green
	}
	out.Printf("%s  %s  %s\n", painted(what), out.Color.Bold(show.ShortID(c)), term.Indented(term.Plain(why), out.Width, "  "))
	out.Painted(out.Color.Dim, "  ", term.Dotted(c.Severity, c.Verdict, c.Tier, c.Scope))
	out.Pairs("  ", []term.Pair{{"A", c.KeyA}, {"B", c.KeyB}})
	out.Printf("\n")
}

// asked is "" for nothing.
func asked(n int, what string) string { return term.Some(n, "pair "+what, "pairs "+what) }

// skipped says what an audit did not look at. What is undecided is among its
// notes.
func skipped(r memory.AuditResult) (lines []string) {
	if r.Beyond > 0 {
		lines = append(lines, fmt.Sprintf("skipped: %s beyond the best that share a name with an audited one", term.Plural(r.Beyond, "fact", "facts")))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Crowded)) {
		lines = append(lines, fmt.Sprintf("skipped: the name %s, which too many share, for %s", name, term.Plural(r.Crowded[name], "fact", "facts")))
	}
	return lines
}

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
