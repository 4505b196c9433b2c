package detection

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

func loadMNLI(dir string) (pairSuite, error) {
	s := pairSuite{name: "mnli", about: "General English (MultiNLI): sentences of many genres, and what somebody made of them."}
	return s.readCSV(dir, "mnli_dev.half.csv")
}

func loadSNLI(dir string) (pairSuite, error) {
	s := pairSuite{name: "snli", about: "General English (SNLI): captions of photographs, and what somebody made of them."}
	return s.readCSV(dir, "snli_dev.half.csv")
}

// readCSV adds the pairs of a file with the columns premise, hypothesis and
// label. Its rows have no names but their numbers.
func (s pairSuite) readCSV(dir, name string) (pairSuite, error) {
	path := filepath.Join(dir, "nli", name)
	file, err := os.Open(path)
	if err != nil {
		return s, fmt.Errorf("read data: %w", err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return s, fmt.Errorf("read %s: %w", path, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], []string{"premise", "hypothesis", "label"}) {
		return s, fmt.Errorf("read %s: its columns are not premise, hypothesis, label", path)
	}
	for i, row := range rows[1:] {
		if !slices.Contains(labels(), row[2]) {
			return s, fmt.Errorf("read %s, record %d: %q is no label", path, i+1, row[2])
		}
		s.pairs = append(s.pairs, newPair(fmt.Sprintf("%s-%05d", s.name, i+1), row[2], row[0], row[1], publicScope))
	}
	return s, nil
}
