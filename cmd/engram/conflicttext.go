package main

import (
	"fmt"
	"strconv"
	"strings"

	"engram/memory"
)

// The words of package memory's answers that decide how a conflict is shown.
const (
	statusOpen       = "open"
	verdictEvolution = "evolution"
	severityHigh     = "high"
	severityMedium   = "medium"
	severityLow      = "low"
)

// conflictFolder is what the key of a conflict begins with.
const conflictFolder = "risk/conflict/"

func conflictStatuses() []string { return append(memory.Statuses(), memory.AllStatuses) }

func policies() []string { return []string{"last-writer", "higher-confidence"} }

func isOpen(c memory.Conflict) bool { return c.Status == statusOpen }

// shortID is what people call a conflict by.
func shortID(c memory.Conflict) string { return c.ConflictID[:min(len(c.ConflictID), 8)] }

// conflictSections prints conflicts by scope, and then those that are updates to
// confirm, which it counts.
func (io *streams) conflictSections(list []memory.Conflict) (updates int) {
	for _, evolutions := range []bool{false, true} {
		scope, first := "", true
		for _, c := range list {
			if (c.Verdict == verdictEvolution) != evolutions {
				continue
			}
			if evolutions {
				if updates++; updates == 1 {
					io.printf("%s\n\n", io.color.bold("Updates to confirm"))
				}
			}
			if first || c.Scope != scope {
				scope, first = c.Scope, false
				io.printf("%s\n\n", io.color.bold(scopeName(scope)))
			}
			io.conflict(c)
		}
	}
	return updates
}

func scopeName(scope string) string {
	if scope == "" {
		return "across scopes"
	}
	return plain(scope)
}

// conflict prints one conflict for people.
func (io *streams) conflict(c memory.Conflict, also ...string) {
	io.clash(c.Clash, shortID(c), append([]string{ago(io.now(), c.Since), recorded(c)}, also...)...)
	a, b := io.sidesOf(c)
	io.sides("  ", a, b)
	if c.Newer != "" {
		io.printf("  %s is the newer state\n", strings.ToUpper(c.Newer))
	}
	if !isOpen(c) {
		how := dotted(standing(c), c.ResolvedBy, nameOf(c.Engineer), ago(io.now(), c.Since))
		io.pairs("  ", []pair{{c.Status, how}, {"why", c.Reason}, {"evidence", c.Evidence}})
	}
	io.printf("\n")
}

// clash prints how grave it is, what it is called, and what is wrong.
func (io *streams) clash(c memory.Clash, name string, also ...string) {
	painted := map[string]func(string) string{severityHigh: io.color.red, severityMedium: io.color.yellow}[c.Severity]
	if painted == nil {
		painted = io.color.dim
	}
	head := fmt.Sprintf("%-6s  ", c.Severity)
	if name != "" {
		head += name + "  "
	}
	margin := fmt.Sprintf("%*s", len(head), "")
	io.printf("%s%s\n", painted(head), indented(plain(c.Explanation), io.width, margin))
	io.printf("  %s\n", io.color.dim(indented(dotted(append([]string{c.Verdict, c.Tier}, also...)...), io.width, "  ")))
}

// recorded says of what is not on the branch that it is not.
func recorded(c memory.Conflict) string {
	if c.Recorded {
		return ""
	}
	return "not yet audited"
}

// standing says what a settled conflict left standing.
func standing(c memory.Conflict) string {
	switch {
	case c.Winner != "" && c.Winner == c.VersionA:
		return c.Resolution + ": A stands"
	case c.Winner != "" && c.Winner == c.VersionB:
		return c.Resolution + ": B stands"
	case c.Resolution == c.Status:
		return ""
	}
	return c.Resolution
}

// conflictRow prints one conflict for scripts.
func (io *streams) conflictRow(c memory.Conflict) {
	row := []string{
		c.ConflictID, c.Status, c.Severity, c.Verdict, c.Tier, c.Scope, stamp(c.Since), strconv.FormatBool(c.Recorded), c.Explanation, c.Newer,
	}
	row = append(row, sideRow(c.KeyA, c.A)...)
	row = append(row, sideRow(c.KeyB, c.B)...)
	io.row(append(row, c.Resolution, c.ResolvedBy, c.Engineer, c.Reason)...)
}

func sideRow(key string, f *memory.Fact) []string {
	if f == nil { // gone
		f = &memory.Fact{}
	}
	return []string{key, f.AgentID, f.Engineer, stamp(f.Committed), strconv.FormatBool(f.Verified), f.Claim}
}
