package hooks

import (
	"fmt"
	"strings"

	"engram/memory"
)

// evolution is the verdict on a pair of facts if one is clearly the newer state.
const evolution = "evolution"

// lineOf summarizes the result of settling in one line; it is empty if nothing changed.
func lineOf(r memory.SettleResult) []string {
	var parts []string
	add := func(n int, one, many string) {
		if n == 1 {
			parts = append(parts, "1 "+one)
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", n, many))
		}
	}
	if r.Arrived > 0 {
		from := ""
		if len(r.From) > 0 {
			from = " from " + strings.Join(remotesOf(r.From), ", ")
		}
		add(r.Arrived, "fact arrived"+from, "facts arrived"+from)
	}
	add(len(r.Rivals), "rival claim was kept", "rival claims were kept")
	add(len(r.Promoted), "fact of a merged branch now holds everywhere", "facts of merged branches now hold everywhere")
	add(len(r.Dropped), "fact of a deleted branch ended", "facts of deleted branches ended")
	add(len(r.Violations), "violation of engram.yml (engram check)", "violations of engram.yml (engram check)")
	add(len(r.Closed), "conflict was resolved", "conflicts were resolved")
	var first string
	conflicts, updates := 0, 0
	for _, c := range r.Opened {
		if c.Verdict == evolution {
			updates++
			continue
		}
		if conflicts++; first == "" {
			first = c.Explanation
		}
	}
	add(updates, "update to confirm", "updates to confirm")
	add(conflicts, "conflict", "conflicts")
	if len(parts) == 0 {
		return r.Notes[:min(len(r.Notes), 1)]
	}
	line, hint := strings.Join(parts, ", "), ""
	if first != "" {
		line += ": " + first
	}
	if conflicts+updates > 0 {
		hint = " (engram conflicts)"
	}
	return []string{cut(line, maxLine-len(hint)-len("engram: ")) + hint}
}

// remotesOf shortens origin/engram to origin.
func remotesOf(branches []string) []string {
	var remotes []string
	for _, b := range branches {
		remote, _, _ := strings.Cut(b, "/")
		remotes = append(remotes, remote)
	}
	return remotes
}
