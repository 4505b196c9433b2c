package retrieval

import (
	"fmt"
	"slices"
	"strings"

	"engram/eval/golden"
)

// Golden is the suite's outcome as it is kept: ids, ranks and shares, no text
// and no times. A change of the ranking is then a diff that can be read query
// by query.
func (s SuiteReport) Golden() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# suite %s: %d facts, %d items, %d questions\n\n", s.Name, s.Facts, s.Items, s.Questions)
	fmt.Fprintf(&b, "%-40s %9s %6s %6s %6s %6s %6s %6s\n", "summary", "questions", "r@1", "r@5", "r@10", "hit@10", "mrr", "ndcg")
	for _, r := range s.Rows {
		fmt.Fprintf(&b, "%-40s %9d %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f\n",
			r.Subset+": "+r.System, r.Questions, r.Recall1, r.Recall5, r.Recall10, r.Hit[depth-1], r.MRR, r.NDCG)
	}
	fmt.Fprintf(&b, "\n%-20s", "rank of the first")
	for _, system := range s.Systems {
		fmt.Fprintf(&b, " %10s", system)
	}
	b.WriteByte('\n')
	for _, q := range s.Queries {
		fmt.Fprintf(&b, "%-20s", q.ID)
		for _, rank := range q.Ranks {
			shown := "-"
			if rank > 0 {
				shown = fmt.Sprint(rank)
			}
			fmt.Fprintf(&b, " %10s", shown)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// GoldenName is the suite's file in a folder of golden files. Runs with vectors
// have more columns and files of their own.
func (s SuiteReport) GoldenName() string {
	if slices.Contains(s.Systems, systemHybrid) {
		return s.Name + ".vectors.golden"
	}
	return s.Name + ".golden"
}

// WriteGolden writes the golden file of every suite.
func (r Report) WriteGolden(dir string) error { return golden.Write(dir, r.Suites) }

// DiffGolden compares every suite with its golden file and returns what
// differs, "" for nothing. A file that is missing differs.
func (r Report) DiffGolden(dir string) (string, error) { return golden.Diff(dir, r.Suites) }
