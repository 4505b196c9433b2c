package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"engram/memory"
)

// sums prints what agents exchanged for people, and of it what there is.
func (io *streams) sums(r memory.TelemetryResult) {
	if len(r.Events) == 0 {
		io.printf("nothing was exchanged in this clone yet\n")
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
	io.printf("%s\n", io.color.bold("Messages"))
	io.pairs("  ", []pair{
		{"accepted", fmt.Sprint(r.Accepted)}, {"rejected", dotted(fmt.Sprint(r.Rejected), percent(r.RejectRate), counted(r.Codes))},
		{"sent again", dotted(fmt.Sprint(r.Resent), percent(r.ResendRate))},
		{"engrams", dotted(fmt.Sprint(engrams), counted(r.Kinds))}, {"contradict", dotted(fmt.Sprint(r.Contradictions), percent(r.ContradictionRate))},
	})
	if len(r.Roles) == 0 {
		return
	}
	io.printf("\n%s\n", io.color.bold(fmt.Sprintf("%-16s %8s %9s %8s %8s %9s", "Role", "messages", "tokens", "turns", "excerpts", "tokens")))
	for _, role := range slices.Sorted(maps.Keys(r.Roles)) {
		s := r.Roles[role]
		io.printf("%-16s %8d %9d %8d %8d %9d\n", plain(cmp.Or(role, "(none)")), s.Messages, s.InlineTokens, s.Turns, s.Derefs, s.DerefTokens)
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
