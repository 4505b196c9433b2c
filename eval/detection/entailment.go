package detection

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"engram/eval/corpus"
)

// fromCSV loads the pairs of a file that readCSV reads.
func fromCSV(name, about, file string) corpus.Loader[pairSuite] {
	return corpus.Loader[pairSuite]{Name: name, Data: true, Load: corpus.One(func(dir string) (pairSuite, error) {
		return pairSuite{name: name, about: about}.readCSV(dir, file)
	})}
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
