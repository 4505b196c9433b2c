package main

import (
	"fmt"
	"strings"

	"engram/memory"
)

// explanation prints what a score is made of, a signal and a sum of parts to a
// line.
func (io *streams) explanation(e *memory.Explanation, margin string) {
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
		io.printf("%s%-9s rank %-4s %8.3f  %s\n", margin, s.Signal, rank, s.Score, io.color.dim(plain(shared)))
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
	io.printf("%s%s\n\n", margin, indented(line, io.width, margin+"  "))
}

// absences prints why keys are not among the results. It is an answer, but not
// one of the rows that a script reads: in a pipe it goes beside them.
func (io *streams) absences(absences []memory.Absence) {
	for _, a := range absences {
		if !io.terminal {
			io.message("%s: %s", plain(a.Key), a.Reason)
			continue
		}
		io.printf("%s  %s\n", io.color.bold(plain(a.Key)), indented(plain(a.Reason), io.width, "  "))
		io.explanation(a.Explanation, "      ")
	}
}
