package memory_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"engram/facts"
	"engram/memory"
	"engram/secret"
)

// TestMeasureImport imports 10,000 real sentences with the real scanner, asks
// one question, and reports. It needs the folder of outside data.
func TestMeasureImport(t *testing.T) {
	data := os.Getenv("ENGRAM_DATA")
	if data == "" {
		t.Skip("ENGRAM_DATA does not name the folder of measurement data")
	}
	const n = 10_000
	text := recordsOf(t, filepath.Join(data, "facts", "facts_share.jsonl"), n)
	dir := newRepo(t)
	m, err := memory.Open(t.Context(), dir, secret.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	r, err := m.Import(t.Context(), bytes.NewReader(text), memory.ImportInput{Format: memory.JSONL, SkipInvalid: true})
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	if r.Added+r.Duplicates+len(r.Rejected) != n {
		t.Errorf("%d added, %d duplicates, %d rejected of %d", r.Added, r.Duplicates, len(r.Rejected), n)
	}
	start = time.Now()
	q, err := m.Query(t.Context(), memory.QueryInput{Question: "how is the pod restarted after a crash?", Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d added, %d duplicates, %d rejected in %v; first query with its index %v", r.Added, r.Duplicates, len(r.Rejected), took, time.Since(start))
	for _, reject := range r.Rejected[:min(3, len(r.Rejected))] {
		t.Logf("rejected: line %d: %.200s", reject.Line, reject.Problem)
	}
	for _, hit := range q.Results {
		t.Logf("%.2f %s: %.120s", hit.Score, hit.Key, hit.Claim)
	}
}

// recordsOf makes import records of the first n rows of the data.
func recordsOf(t *testing.T, path string, n int) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for i := 0; i < n && lines.Scan(); i++ {
		var row struct{ Text, Kind, Source, Path string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		record := memory.CommitInput{Claim: row.Text, Scope: facts.Slug(row.Source) + "/" + facts.Slug(row.Kind), Evidence: row.Source + " " + row.Path}
		b, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(b, '\n'))
	}
	return out.Bytes()
}
