package messages

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"engram/cmd/internal/term"
	"engram/memory"
)

// printMetrics prints totals of what agents exchanged: for people those that are not
// empty, in a pipe all of them in OpenMetrics' format.
func printMetrics(out *term.Streams, r memory.TelemetryResult) {
	if !out.Terminal {
		out.Printf("%s", r.MetricsText())
		return
	}
	if len(r.Events) == 0 {
		out.Printf("nothing was exchanged in this clone yet\n")
		return
	}
	percent := func(rate *float64) string {
		if rate == nil {
			return ""
		}
		return fmt.Sprintf("%.0f%%", *rate*100)
	}
	engrams := 0
	for _, n := range r.Kinds {
		engrams += n
	}
	out.Printf("%s\n", out.Color.Bold("Messages"))
	out.Pairs("  ", []term.Pair{
		{"accepted", fmt.Sprint(r.Accepted)}, {"rejected", term.Dotted(fmt.Sprint(r.Rejected), percent(r.RejectRate), counted(r.Codes))},
		{"sent again", term.Dotted(fmt.Sprint(r.Resent), percent(r.ResendRate))},
		{"engrams", term.Dotted(fmt.Sprint(engrams), counted(r.Kinds))}, {"contradict", term.Dotted(fmt.Sprint(r.Contradictions), percent(r.ContradictionRate))},
	})
	if len(r.Roles) == 0 {
		return
	}
	out.Printf("\n%s\n", out.Color.Bold(fmt.Sprintf("%-16s %8s %9s %8s %8s %9s", "Role", "messages", "tokens", "turns", "excerpts", "tokens")))
	for _, role := range slices.Sorted(maps.Keys(r.Roles)) {
		s := r.Roles[role]
		out.Printf("%-16s %8d %9d %8d %8d %9d\n", term.Plain(cmp.Or(role, "(none)")), s.Messages, s.InlineTokens, s.Turns, s.Derefs, s.DerefTokens)
	}
}

// counted lists what was counted, by name.
func counted(counts map[string]int) string {
	list := make([]string, 0, len(counts))
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(list, ", ")
}
