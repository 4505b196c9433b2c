package vectors_test

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"engram/internal/vectors"
	"engram/model"
)

// TestMeasureRecall compares the search with an exact one over the vectors of
// real sentences, by whatever model there is (ENGRAM_MODEL, a folder).
func TestMeasureRecall(t *testing.T) {
	data, folder := os.Getenv("ENGRAM_DATA"), os.Getenv("ENGRAM_MODEL")
	if data == "" || folder == "" {
		t.Skip("ENGRAM_DATA and ENGRAM_MODEL do not name the folders of measurement data and of a model")
	}
	m, err := model.OpenEmbedderFor(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	rows := embedSentences(t, m, filepath.Join(data, "facts", "facts_share.jsonl"))
	path := filepath.Join(t.TempDir(), "vectors")
	keys := make([]uint64, len(rows))
	for i, v := range rows {
		h := fnv.New64a()
		_ = binary.Write(h, binary.LittleEndian, v)
		keys[i] = h.Sum64()
	}
	if err := vectors.Append(path, vectors.Stamp{Model: m.ID(), Dimensions: m.Dimensions()}, keys, rows); err != nil {
		t.Fatal(err)
	}
	f, err := vectors.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const k, questions = 10, 500
	found, wanted := 0, 0
	for i := 0; i < questions; i++ {
		question := f.Vector(i * (f.Len() / questions))
		near, err := f.Nearest(question, k, nil)
		if err != nil {
			t.Fatal(err)
		}
		exact := make([]float32, 0, f.Len())
		for row := range f.Len() {
			exact = append(exact, f.Cosine(row, question))
		}
		slices.Sort(exact)
		least := exact[len(exact)-k] // rows of equal cosine are as good as each other
		for _, n := range near {
			if n.Cosine >= least {
				found++
			}
		}
		wanted += k
	}
	t.Logf("recall@%d of %d questions among %d different vectors of %d dimensions: %.4f", k, questions, f.Len(), m.Dimensions(), float64(found)/float64(wanted))
}

func embedSentences(t *testing.T, m model.Embedder, path string) [][]float32 {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var texts []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(fmt.Errorf("%s: %w", path, err))
		}
		texts = append(texts, r.Text)
	}
	rows, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
