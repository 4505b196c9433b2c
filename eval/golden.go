package eval

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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
	for _, system := range s.Systems {
		if system == systemHybrid {
			return s.Name + ".vectors.golden"
		}
	}
	return s.Name + ".golden"
}

// WriteGolden writes the golden file of every suite.
func (r Report) WriteGolden(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write golden files: %w", err)
	}
	for _, s := range r.Suites {
		if err := os.WriteFile(filepath.Join(dir, s.GoldenName()), []byte(s.Golden()), 0o644); err != nil {
			return fmt.Errorf("write golden files: %w", err)
		}
	}
	return nil
}

// DiffGolden compares every suite with its golden file and returns what
// differs, "" for nothing. A file that is missing differs.
func (r Report) DiffGolden(dir string) (string, error) {
	var b strings.Builder
	for _, s := range r.Suites {
		path := filepath.Join(dir, s.GoldenName())
		want, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(&b, "%s is missing\n", path)
			continue
		}
		if err != nil {
			return "", fmt.Errorf("read golden files: %w", err)
		}
		if diff := diffLines(string(want), s.Golden()); diff != "" {
			fmt.Fprintf(&b, "--- %s\n+++ this run\n%s", path, diff)
		}
	}
	return b.String(), nil
}

// diffLines compares two golden files line by line, matching lines by what
// names them: everything before the first run of two spaces.
func diffLines(want, got string) string {
	wanted, given := namedLines(want), namedLines(got)
	var b strings.Builder
	for _, name := range given.names {
		old, found := wanted.lines[name]
		if found && old == given.lines[name] {
			continue
		}
		if found {
			fmt.Fprintf(&b, "-%s\n", old)
		}
		fmt.Fprintf(&b, "+%s\n", given.lines[name])
	}
	for _, name := range wanted.names {
		if _, found := given.lines[name]; !found {
			fmt.Fprintf(&b, "-%s\n", wanted.lines[name])
		}
	}
	return b.String()
}

type named struct {
	names []string
	lines map[string]string
}

func namedLines(text string) named {
	n := named{lines: make(map[string]string)}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		name, _, _ := strings.Cut(line, "  ")
		if strings.HasPrefix(line, "#") {
			name = "#"
		}
		if line == "" {
			continue
		}
		for _, again := n.lines[name]; again; _, again = n.lines[name] {
			name += "'" // the same commit asked about twice
		}
		n.names = append(n.names, name)
		n.lines[name] = line
	}
	return n
}
