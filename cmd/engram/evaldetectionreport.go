package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"engram/eval"
)

func (io *streams) detectionReport(r eval.DetectionReport, show bool) {
	for _, s := range r.Suites {
		if !show {
			s.Wrong = nil
		}
		if io.terminal {
			io.detectionTables(s)
		} else {
			io.detectionRows(s)
		}
	}
}

func (io *streams) detectionRows(s eval.DetectionSuite) {
	for _, r := range s.Rows {
		io.row(append([]string{s.Name, "subset", r.Subset, r.System}, subsetCells(r)...)...)
	}
	for _, l := range s.Labels {
		io.row(append([]string{s.Name, "label", l.Label}, labelCells(l)...)...)
	}
	for _, t := range s.Tiers {
		io.row(append([]string{s.Name, "tier", t.Tier}, tierCells(t)...)...)
	}
	io.row(s.Name, "time", fmt.Sprintf("%.1f", s.P50), fmt.Sprintf("%.1f", s.P95))
	for _, w := range s.Wrong {
		io.row(slices.Concat([]string{s.Name, "wrong", w.ID, w.Label, w.Verdict, w.Tier}, sideCells(w.A), sideCells(w.B), []string{w.Explanation})...)
	}
}

// Cells that are undefined, such as the precision of nothing, are "-".

func subsetCells(r eval.DetectionRow) []string {
	f1 := shareOf(r.F1, r.Flagged*r.Positives)
	alarms := "-"
	if r.Pairs > r.Positives {
		alarms = fmt.Sprintf("%.2f", r.FalseAlarms)
	}
	return append(counts(r.Pairs, r.Positives, r.Flagged, r.Right),
		shareOf(r.Precision, r.Flagged), shareOf(r.Recall, r.Positives), f1, alarms)
}

func labelCells(l eval.LabelRow) []string {
	flagged := 0
	if l.Positive {
		flagged = l.Contradiction + l.Evolution + l.Ambiguous
	}
	return append(counts(l.Pairs, l.Contradiction, l.Evolution, l.Ambiguous),
		shareOf(l.Flagged, l.Pairs), shareOf(l.Naive, l.Pairs), shareOf(l.Agreement, flagged))
}

func tierCells(t eval.TierRow) []string {
	return append(counts(t.Flagged, t.Right), shareOf(t.Precision, t.Flagged))
}

func sideCells(s *eval.WrongSide) []string {
	return []string{s.Claim, s.Scope, s.Agent, s.ValidFrom.Format(time.DateOnly)}
}

func counts(numbers ...int) []string {
	var cells []string
	for _, n := range numbers {
		cells = append(cells, fmt.Sprint(n))
	}
	return cells
}

func shareOf(share float64, all int) string {
	if all == 0 {
		return "-"
	}
	return shareCell(share)
}

// detectionTables are 80 columns wide.
func (io *streams) detectionTables(s eval.DetectionSuite) {
	io.printf("%s  %s\n", io.color.bold(s.Name), io.color.dim(dotted(plural(s.Pairs, "pair", "pairs"), plural(s.Positives, "positive", "positives"),
		fmt.Sprintf("%.1f µs a pair, 95 %% within %.1f", s.P50, s.P95))))
	io.printf("%s\n", indented(s.About, io.width, ""))
	for _, note := range s.Notes {
		io.printf("%s\n", io.color.dim(indented(note, io.width, "")))
	}
	table := io.detectionTable(38, 6, 6, 8, 6, 7, 5, 8)
	table("", "pairs", "pos.", "flagged", "prec.", "recall", "F1", "alarms")
	for _, r := range s.Rows {
		cells := subsetCells(r)
		table(fmt.Sprintf("%-32s%s", r.Subset, r.System), append(cells[:3:3], cells[4:]...)...) // right is left to scripts
	}
	table = io.detectionTable(16, 7, 14, 10, 10, 8, 7, 8)
	table("", "pairs", "contradiction", "evolution", "ambiguous", "flagged", "naive", "agrees")
	for _, l := range s.Labels {
		table(l.Label, labelCells(l)...)
	}
	table = io.detectionTable(22, 9, 8, 8)
	table("", "flagged", "right", "prec.")
	for _, t := range s.Tiers {
		table(t.Tier, tierCells(t)...)
	}
	io.printf("\n")
	for _, w := range s.Wrong {
		io.wrongPair(w)
	}
}

// detectionTable begins a table and returns what prints a line of it: its name,
// then cells of the given widths. The first line is the header.
func (io *streams) detectionTable(name int, widths ...int) func(string, ...string) {
	io.printf("\n")
	header := true
	return func(first string, cells ...string) {
		line := fmt.Sprintf("%-*s", name, first)
		for i, cell := range cells {
			line += fmt.Sprintf("%*s", widths[i], cell)
		}
		if header {
			line, header = io.color.dim(line), false
		}
		io.printf("%s\n", line)
	}
}

func (io *streams) wrongPair(w eval.WrongPair) {
	io.printf("%s  %s\n", io.color.bold(w.ID), dotted(w.Label, cmp.Or(w.Verdict, "missed"), w.Tier))
	a, b := sideCells(w.A), sideCells(w.B)
	io.pairs("  ", []pair{
		{"a", a[0]}, {"", dotted(a[1:]...)}, {"b", b[0]}, {"", dotted(b[1:]...)}, {"why", w.Explanation},
	})
}
