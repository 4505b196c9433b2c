package read

import (
	"fmt"
	"strings"

	"engram/cmd/internal/term"
	"engram/memory"
)

// printExplanation prints what a score is made of, a signal and a sum of parts to a
// line.
func printExplanation(out *term.Streams, e *memory.Explanation, margin string) {
	if e == nil {
		return
	}
	const mostShared = 8 // words or keys a line
	for _, s := range e.Signals {
		rank := fmt.Sprintf("%d", s.Rank)
		if s.Rank == 0 {
			rank = "far down"
		}
		shared := strings.Join(s.Shared[:min(len(s.Shared), mostShared)], ", ")
		if len(s.Shared) > mostShared {
			shared += fmt.Sprintf(" and %d more", len(s.Shared)-mostShared)
		}
		out.Printf("%s%-9s rank %-4s %8.3f  %s\n", margin, s.Signal, rank, s.Score, out.Color.Dim(term.Plain(shared)))
	}
	var sum []string
	for _, p := range e.Parts {
		if p.Points != 0 {
			sum = append(sum, fmt.Sprintf("%s %.3f", strings.ReplaceAll(p.Name, "_", " "), p.Points))
		}
	}
	line := strings.Join(sum, " + ")
	if e.Factor != 1 {
		line = fmt.Sprintf("(%s) × %.1f, being ephemeral", line, e.Factor)
	}
	out.Printf("%s%s\n\n", margin, term.Indented(line, out.Width, margin+"  "))
}

// printAbsences prints why keys are not among the results. It is an answer, but not
// one of the rows that a script reads: in a pipe it goes beside them.
func printAbsences(out *term.Streams, absences []memory.Absence) {
	for _, a := range absences {
		if !out.Terminal {
			out.Message("%s: %s", term.Plain(a.Key), a.Reason)
			continue
		}
		out.Printf("%s  %s\n", out.Color.Bold(term.Plain(a.Key)), term.Indented(term.Plain(a.Reason), out.Width, "  "))
		printExplanation(out, a.Explanation, "      ")
	}
}
