package show

import (
	"fmt"
	"strconv"
	"strings"

	"engram/cmd/internal/term"
	"engram/memory"
)

// The words of package memory's answers that decide how a conflict is shown.
const (
	StatusOpen       = "open"
	VerdictEvolution = "evolution"
	SeverityHigh     = "high"
	SeverityMedium   = "medium"
	SeverityLow      = "low"
)

// ConflictFolder is what the key of a conflict begins with.
const ConflictFolder = "risk/conflict/"

// IsOpen reports whether a conflict is not settled yet.
func IsOpen(c memory.Conflict) bool { return c.Status == StatusOpen }

// ShortID is the abbreviated id of a conflict, for people.
func ShortID(c memory.Conflict) string { return c.ConflictID[:min(len(c.ConflictID), 8)] }

// ConflictSections prints conflicts by scope, and then those that are updates to
// confirm, which it counts.
func ConflictSections(out *term.Streams, list []memory.Conflict) (updates int) {
	for _, evolutions := range []bool{false, true} {
		scope, first := "", true
		for _, c := range list {
			if (c.Verdict == VerdictEvolution) != evolutions {
				continue
			}
			if evolutions {
				if updates++; updates == 1 {
					out.Printf("%s\n\n", out.Color.Bold("Updates to confirm"))
				}
			}
			if first || c.Scope != scope {
				scope, first = c.Scope, false
				out.Printf("%s\n\n", out.Color.Bold(ScopeName(scope)))
			}
			Conflict(out, c)
		}
	}
	return updates
}

// ScopeName names the scope of a conflict; "" is several.
func ScopeName(scope string) string {
	if scope == "" {
		return "across scopes"
	}
	return term.Plain(scope)
}

// Conflict prints one conflict for people.
func Conflict(out *term.Streams, c memory.Conflict, also ...string) {
	Clash(out, c.Clash, ShortID(c), append([]string{term.Ago(out.Now(), c.Since), term.Either(c.Recorded, "", "not yet audited")}, also...)...)
	a, b := sidesOf(out, c)
	Sides(out, "  ", a, b)
	if c.Newer != "" {
		out.Printf("  %s is the newer state\n", strings.ToUpper(c.Newer))
	}
	if !IsOpen(c) {
		how := term.Dotted(standing(c), c.ResolvedBy, NameOf(c.Engineer), term.Ago(out.Now(), c.Since))
		out.Pairs("  ", []term.Pair{{c.Status, how}, {"why", c.Reason}, {"evidence", c.Evidence}})
	}
	out.Printf("\n")
}

// Clash prints the severity, name and explanation of a clash.
func Clash(out *term.Streams, c memory.Clash, name string, also ...string) {
	painted := map[string]func(string) string{SeverityHigh: out.Color.Red, SeverityMedium: out.Color.Yellow}[c.Severity]
	if painted == nil {
		painted = out.Color.Dim
	}
	head := fmt.Sprintf("%-6s  ", c.Severity)
	if name != "" {
		head += name + "  "
	}
	margin := fmt.Sprintf("%*s", len(head), "")
	out.Printf("%s%s\n", painted(head), term.Indented(term.Plain(c.Explanation), out.Width, margin))
	out.Painted(out.Color.Dim, "  ", term.Dotted(append([]string{c.Verdict, c.Tier}, also...)...))
}

// standing says which side of a settled conflict stands.
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

// ConflictRow prints one conflict for scripts.
func ConflictRow(out *term.Streams, c memory.Conflict) {
	row := []string{
		c.ConflictID, c.Status, c.Severity, c.Verdict, c.Tier, c.Scope, term.Stamp(c.Since), strconv.FormatBool(c.Recorded), c.Explanation, c.Newer,
	}
	row = append(row, sideRow(c.KeyA, c.A)...)
	row = append(row, sideRow(c.KeyB, c.B)...)
	out.Row(append(row, c.Resolution, c.ResolvedBy, c.Engineer, c.Reason)...)
}

func sideRow(key string, f *memory.Fact) []string {
	if f == nil { // gone
		f = &memory.Fact{}
	}
	return []string{key, f.AgentID, f.Engineer, term.Stamp(f.Committed), strconv.FormatBool(f.Verified), f.Claim}
}

// Pair prints a pair of facts that nobody has judged.
func Pair(out *term.Streams, p memory.UndecidedPair) {
	if !out.Terminal {
		row := append([]string{p.Grade}, sideRow(p.A.Key.String(), &p.A)...)
		out.Row(append(append(row, sideRow(p.B.Key.String(), &p.B)...), p.Explanation)...)
		return
	}
	if p.Explanation != "" {
		out.Painted(out.Color.Dim, "  ", term.Plain(p.Explanation))
	}
	side := func(name string, f memory.Fact) Side {
		return Side{Name: name, Key: f.Key.String(), Claim: f.Claim, About: AboutFact(out, f)}
	}
	Sides(out, "  ", side("A", p.A), side("B", p.B))
	out.Printf("\n")
}
