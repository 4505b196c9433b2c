package detection

import (
	"cmp"
	"fmt"
	"strings"

	"engram/eval/golden"
)

// GoldenName is the suite's file in a folder of golden files.
func (s Suite) GoldenName() string { return "detection-" + s.Name + ".golden" }

// Golden is the suite's outcome as it is kept: what the tables say, and the id
// and outcome of each pair that was judged wrongly; no text and no times.
func (s Suite) Golden() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# detection, suite %s: %d pairs, %d positives\n\n", s.Name, s.Pairs, s.Positives)
	fmt.Fprintf(&b, "%-44s %6s %9s %7s %6s %9s %6s %6s %11s\n", "summary", "pairs", "positives", "flagged", "right", "precision", "recall", "f1", "alarms/1000")
	for _, r := range s.Rows {
		fmt.Fprintf(&b, "%-44s %6d %9d %7d %6d %9.3f %6.3f %6.3f %11.2f\n",
			r.Subset+": "+r.System, r.Pairs, r.Positives, r.Flagged, r.Right, r.Precision, r.Recall, r.F1, r.FalseAlarms)
	}
	fmt.Fprintf(&b, "\n%-24s %6s %13s %9s %9s %7s %6s %6s\n", "label", "pairs", "contradiction", "evolution", "ambiguous", "flagged", "naive", "agrees")
	for _, l := range s.Labels {
		fmt.Fprintf(&b, "%-24s %6d %13d %9d %9d %7.3f %6.3f %6.3f\n",
			l.Label, l.Pairs, l.Contradiction, l.Evolution, l.Ambiguous, l.Flagged, l.Naive, l.Agreement)
	}
	fmt.Fprintf(&b, "\n%-24s %7s %6s %9s\n", "tier", "flagged", "right", "precision")
	for _, t := range s.Tiers {
		fmt.Fprintf(&b, "%-24s %7d %6d %9.3f\n", t.Tier, t.Flagged, t.Right, t.Precision)
	}
	s.goldenGrades(&b)
	fmt.Fprintf(&b, "\n%-24s  %-13s  %s\n", "judged wrongly", "label", "verdict")
	missed := 0
	for _, w := range s.Wrong {
		if w.Verdict == "" {
			missed++
		}
	}
	for _, w := range s.Wrong {
		if w.Verdict != "" || missed <= listedMisses {
			fmt.Fprintf(&b, "%-24s  %-13s  %s\n", w.ID, w.Label, strings.TrimSpace(cmp.Or(w.Verdict, "missed")+" "+w.Tier))
		}
	}
	if missed > listedMisses {
		fmt.Fprintf(&b, "and %d missed\n", missed)
	}
	return b.String()
}

// goldenGrades adds the tables of grades and of causes, if there are any.
func (s Suite) goldenGrades(b *strings.Builder) {
	if len(s.Grades) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%-20s %-13s %5s %9s %7s %5s %9s %13s %6s %13s\n", "grades", "at least", "pairs", "positives", "flagged", "right", "precision", "(95 %)", "recall", "(95 %)")
	for _, r := range s.Grades {
		fmt.Fprintf(b, "%-20s %-13s %5d %9d %7d %5d %9.3f %6.3f-%.3f  %6.3f %6.3f-%.3f\n",
			r.Subset, r.Grade, r.Pairs, r.Positives, r.Flagged, r.Right, r.Precision, r.PrecisionLow, r.PrecisionHigh, r.Recall, r.RecallLow, r.RecallHigh)
	}
	fmt.Fprintf(b, "\n%-32s %5s\n", "missed because", "pairs")
	for _, c := range s.Causes {
		fmt.Fprintf(b, "%-32s %5d\n", c.Cause, c.Pairs)
	}
}

// listedMisses is up to how many missed pairs are listed. Of general English,
// which rules are not made for, thousands are missed.
const listedMisses = 200

// WriteGolden writes the golden file of every suite.
func (r Report) WriteGolden(dir string) error { return golden.Write(dir, r.Suites) }

// DiffGolden compares every suite with its golden file and returns what
// differs, "" for nothing. A file that is missing differs.
func (r Report) DiffGolden(dir string) (string, error) { return golden.Diff(dir, r.Suites) }
