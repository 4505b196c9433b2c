package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"engram/memory"
)

// audited prints what an audit found. In a pipe the account of its work goes
// beside the rows.
func (io *streams) audited(r memory.AuditResult, j judges) {
	for _, c := range r.Opened {
		io.auditRow("opened", c, c.Explanation)
	}
	for _, c := range r.Closed {
		io.auditRow("closed", c, c.Reason)
	}
	io.violations(r.Violations)
	var account []string
	if len(r.Opened)+len(r.Closed) == 0 {
		account = append(account, dotted("nothing new", known(r)))
	} else {
		account = append(account, dotted(fmt.Sprintf("%d opened", len(r.Opened)), fmt.Sprintf("%d closed", len(r.Closed)), known(r)))
	}
	account = append(account, dotted(plural(r.Facts, "fact", "facts")+" looked at", plural(r.Pairs, "pair", "pairs")+" compared",
		asked(r.Judged, "judged by the cross-encoder"), asked(r.Asked, "put to the language model"), asked(len(r.Corroborated), "say the same"),
		fmt.Sprintf("%.1f s", r.Took), "revision "+short(r.Revision)))
	account = append(account, "tiers: "+strings.Join(r.Tiers, ", "))
	account = append(account, j.absences()...)
	account = append(account, skipped(r)...)
	for _, line := range account {
		if io.terminal {
			io.printf("%s\n", io.color.dim(indented(plain(line), io.width, "  ")))
		} else {
			io.message("%s", line)
		}
	}
	for _, note := range r.Notes {
		io.message("note: %s", note)
	}
	if io.terminal && len(r.Opened) > 0 {
		_ = io.flush() // what was found comes before what is next
		io.message("hint: `engram conflicts` shows them; `engram resolve %s` settles one", shortID(r.Opened[0]))
	}
}

func (io *streams) auditRow(what string, c memory.Conflict, why string) {
	if !io.terminal {
		io.row(what, c.ConflictID, c.Severity, c.Verdict, c.Tier, c.Scope, c.KeyA, c.KeyB, why)
		return
	}
	painted := io.color.red
	if what == "closed" {
		painted = io.color.green
	}
	io.printf("%s  %s  %s\n", painted(what), io.color.bold(shortID(c)), indented(plain(why), io.width, "  "))
	io.printf("  %s\n", io.color.dim(indented(dotted(c.Severity, c.Verdict, c.Tier, c.Scope), io.width, "  ")))
	io.pairs("  ", []pair{{"A", c.KeyA}, {"B", c.KeyB}})
	io.printf("\n")
}

func known(r memory.AuditResult) string {
	if r.Known == 0 {
		return ""
	}
	return fmt.Sprintf("%d known already", r.Known)
}

// asked is "" for nothing.
func asked(n int, what string) string {
	if n == 0 {
		return ""
	}
	return plural(n, "pair", "pairs") + " " + what
}

// absences say which tiers took no part, and why.
func (j judges) absences() (lines []string) {
	if j.noNLI != "" {
		lines = append(lines, "tier 1 absent: "+j.noNLI)
	}
	if j.noModel != "" {
		lines = append(lines, "tier 3 absent: "+j.noModel)
	}
	return lines
}

// skipped says what an audit did not look at. What is undecided is among its
// notes.
func skipped(r memory.AuditResult) (lines []string) {
	if r.Beyond > 0 {
		lines = append(lines, fmt.Sprintf("skipped: %s beyond the best that share a name with an audited one", plural(r.Beyond, "fact", "facts")))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Crowded)) {
		lines = append(lines, fmt.Sprintf("skipped: the name %s, which too many share, for %s", name, plural(r.Crowded[name], "fact", "facts")))
	}
	return lines
}
