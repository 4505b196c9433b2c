package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"engram/cmd/internal/term"
	"engram/eval/detection"
)

func printDetection(out *term.Streams, r detection.Report, show bool) {
	for _, s := range r.Suites {
		if !show {
			s.Wrong = nil
		}
		if out.Terminal {
			printTables(out, s)
		} else {
			printRows(out, s)
		}
	}
}

func printRows(out *term.Streams, s detection.Suite) {
	for _, r := range s.Rows {
		out.Row(append([]string{s.Name, "subset", r.Subset, r.System}, subsetCells(r)...)...)
	}
	for _, l := range s.Labels {
		out.Row(append([]string{s.Name, "label", l.Label}, labelCells(l)...)...)
	}
	for _, t := range s.Tiers {
		out.Row(append([]string{s.Name, "tier", t.Tier}, tierCells(t)...)...)
	}
	for _, g := range s.Grades {
		out.Row(append([]string{s.Name, "grade", g.Subset, g.Grade}, gradeCells(g)...)...)
	}
	for _, c := range s.Causes {
		out.Row(append([]string{s.Name, "missed", c.Cause}, term.Counts(c.Pairs)...)...)
	}
	for _, o := range s.Offered {
		out.Row(append([]string{s.Name, "offered", o.Where}, offeredCells(o)...)...)
	}
	out.Row(s.Name, "time", fmt.Sprintf("%.1f", s.P50), fmt.Sprintf("%.1f", s.P95))
	for _, w := range s.Wrong {
		out.Row(slices.Concat([]string{s.Name, "wrong", w.ID, w.Label, w.Verdict, w.Tier}, sideCells(w.A), sideCells(w.B), []string{w.Explanation})...)
	}
}

// Cells that are undefined, such as the precision of nothing, are "-".

func subsetCells(r detection.Row) []string {
	f1 := shareOf(r.F1, r.Flagged*r.Positives)
	alarms := "-"
	if r.Pairs > r.Positives {
		alarms = fmt.Sprintf("%.2f", r.FalseAlarms)
	}
	return append(term.Counts(r.Pairs, r.Positives, r.Flagged, r.Right),
		shareOf(r.Precision, r.Flagged), shareOf(r.Recall, r.Positives), f1, alarms)
}

func labelCells(l detection.LabelRow) []string {
	flagged := 0
	if l.Positive {
		flagged = l.Contradiction + l.Evolution + l.Ambiguous
	}
	return append(term.Counts(l.Pairs, l.Contradiction, l.Evolution, l.Ambiguous),
		shareOf(l.Flagged, l.Pairs), shareOf(l.Naive, l.Pairs), shareOf(l.Agreement, flagged))
}

func tierCells(t detection.TierRow) []string {
	return append(term.Counts(t.Flagged, t.Right), shareOf(t.Precision, t.Flagged))
}

func gradeCells(g detection.GradeRow) []string {
	between := func(low, high float64, all int) string {
		if all == 0 {
			return "-"
		}
		return shareCell(low) + "-" + shareCell(high)
	}
	return append(term.Counts(g.Pairs, g.Positives, g.Flagged, g.Right),
		shareOf(g.Precision, g.Flagged), between(g.PrecisionLow, g.PrecisionHigh, g.Flagged),
		shareOf(g.Recall, g.Positives), between(g.RecallLow, g.RecallHigh, g.Positives))
}

func offeredCells(o detection.OfferedRow) []string {
	return append(term.Counts(o.Pairs, o.Contradicts, o.Likely, o.Related), shareOf(o.Share, o.Pairs), fmt.Sprintf("%.2f", o.Others))
}

func sideCells(s *detection.WrongSide) []string {
	return []string{s.Claim, s.Scope, s.Agent, s.ValidFrom.Format(time.DateOnly)}
}

func shareOf(share float64, all int) string {
	if all == 0 {
		return "-"
	}
	return shareCell(share)
}

// printTables are 80 columns wide.
func printTables(out *term.Streams, s detection.Suite) {
	out.Printf("%s  %s\n", out.Color.Bold(s.Name), out.Color.Dim(term.Dotted(term.Plural(s.Pairs, "pair", "pairs"), term.Plural(s.Positives, "positive", "positives"),
		fmt.Sprintf("%.1f µs a pair, 95 %% within %.1f", s.P50, s.P95))))
	out.Printf("%s\n", term.Indented(s.About, out.Width, ""))
	for _, note := range s.Notes {
		out.Printf("%s\n", out.Color.Dim(term.Indented(note, out.Width, "")))
	}
	table := newTable(out, 38, 6, 6, 8, 6, 7, 5, 8)
	table("", "pairs", "pos.", "flagged", "prec.", "recall", "F1", "alarms")
	for _, r := range s.Rows {
		cells := subsetCells(r)
		table(fmt.Sprintf("%-32s%s", r.Subset, r.System), append(cells[:3:3], cells[4:]...)...) // right is left to scripts
	}
	table = newTable(out, 16, 7, 14, 10, 10, 8, 7, 8)
	table("", "pairs", "contradiction", "evolution", "ambiguous", "flagged", "naive", "agrees")
	for _, l := range s.Labels {
		table(l.Label, labelCells(l)...)
	}
	table = newTable(out, 22, 9, 8, 8)
	table("", "flagged", "right", "prec.")
	for _, t := range s.Tiers {
		table(t.Tier, tierCells(t)...)
	}
	printGrades(out, s)
	if len(s.Offered) > 0 {
		table = newTable(out, 20, 6, 12, 8, 9, 7, 8)
		table("partner in", "pairs", "contradicts", "likely", "related", "named", "others")
		for _, o := range s.Offered {
			table(o.Where, offeredCells(o)...)
		}
	}
	out.Printf("\n")
	for _, w := range s.Wrong {
		printWrong(out, w)
	}
}

// printGrades prints the tables that only prose has.
func printGrades(out *term.Streams, s detection.Suite) {
	if len(s.Grades) == 0 {
		return
	}
	table := newTable(out, 34, 6, 8, 7, 10, 7, 10)
	table("at least", "pos.", "flagged", "prec.", "95 %", "recall", "95 %")
	for _, g := range s.Grades {
		cells := gradeCells(g)
		table(fmt.Sprintf("%-20s%s", g.Subset, g.Grade), append([]string{cells[1], cells[2]}, cells[4:]...)...)
	}
	table = newTable(out, 34, 6)
	table("missed because", "pairs")
	for _, c := range s.Causes {
		table(c.Cause, term.Counts(c.Pairs)...)
	}
}

// newTable begins a table and returns what prints a line of it: its name,
// then cells of the given widths. The first line is the header.
func newTable(out *term.Streams, name int, widths ...int) func(string, ...string) {
	out.Printf("\n")
	header := true
	return func(first string, cells ...string) {
		line := fmt.Sprintf("%-*s", name, first)
		for i, cell := range cells {
			line += fmt.Sprintf("%*s", widths[i], cell)
		}
		if header {
			line, header = out.Color.Dim(line), false
		}
		out.Printf("%s\n", line)
	}
}

func printWrong(out *term.Streams, w detection.WrongPair) {
	out.Printf("%s  %s\n", out.Color.Bold(w.ID), term.Dotted(w.Label, cmp.Or(w.Verdict, "missed"), w.Tier))
	a, b := sideCells(w.A), sideCells(w.B)
	out.Pairs("  ", []term.Pair{
		{"a", a[0]}, {"", term.Dotted(a[1:]...)}, {"b", b[0]}, {"", term.Dotted(b[1:]...)}, {"why", w.Explanation},
	})
}
