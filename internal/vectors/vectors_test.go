package vectors_test

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/internal/vectors"
)

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// unitVectors returns vectors of random directions.
func unitVectors(random *rand.Rand, n, dimensions int) [][]float32 {
	result := make([][]float32, n)
	for i := range result {
		result[i] = make([]float32, dimensions)
		for j := range result[i] {
			result[i][j] = float32(random.NormFloat64())
		}
		normalize(result[i])
	}
	return result
}

func normalize(vector []float32) {
	length := math.Sqrt(cosine(vector, vector))
	for i := range vector {
		vector[i] = float32(float64(vector[i]) / length)
	}
}

// cosine is the inner product in double precision.
func cosine(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// keysFrom returns n distinct keys that look like digests.
func keysFrom(first, n int) []uint64 {
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = uint64(first+i+1) * 0xD1342543DE82EF95
	}
	return keys
}

func mustAppend(t testing.TB, path string, stamp vectors.Stamp, keys []uint64, rows [][]float32) {
	t.Helper()
	if err := vectors.Append(path, stamp, keys, rows); err != nil {
		t.Fatal(err)
	}
}

func mustOpen(t testing.TB, path string) *vectors.File {
	t.Helper()
	file, err := vectors.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	})
	return file
}

// checkRows compares everything but the search with what was appended.
func checkRows(t testing.TB, file *vectors.File, stamp vectors.Stamp, keys []uint64, rows [][]float32) {
	t.Helper()
	if file.Stamp() != stamp || file.Len() != len(keys) {
		t.Fatalf("%+v with %d rows, want %+v with %d", file.Stamp(), file.Len(), stamp, len(keys))
	}
	for i, key := range keys {
		if row, ok := file.Row(key); !ok || row != i || file.Key(i) != key {
			t.Fatalf("row %d: key %x, found at %d %v", i, file.Key(i), row, ok)
		}
		if !slices.Equal(file.Vector(i), rows[i]) {
			t.Fatalf("row %d has another vector", i)
		}
	}
	if row, ok := file.Row(12345); ok {
		t.Errorf("an unknown key is at %d", row)
	}
}

// TestBatches: whatever the sizes of the batches, the file is the same.
func TestBatches(t *testing.T) {
	stamp := vectors.Stamp{Model: strings.Repeat("m", 200), Dimensions: 9}
	const n = 9000
	keys, rows := keysFrom(0, n), unitVectors(newRandom(1), n, stamp.Dimensions)
	var first []byte
	for _, sizes := range [][]int{{n}, {1, 4094, 1, 1, 511, n}, {4096, 4096, n}, {700}, {4000, 4200, n}} {
		path := filepath.Join(t.TempDir(), "vectors")
		for done, i := 0, 0; done < n; i++ {
			end := min(n, done+sizes[i%len(sizes)])
			mustAppend(t, path, stamp, keys[done:end], rows[done:end])
			done = end
			if i%4 == 0 || done == n {
				checkRows(t, mustOpen(t, path), stamp, keys[:done], rows[:done])
			}
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		clear(content[256:288]) // the two slots take turns
		if first == nil {
			first = content
		} else if !slices.Equal(first, content) {
			t.Errorf("%v make another file", sizes)
		}
	}
}

// TestAnyAppends: a file is what a list would be, for any shape and any
// batches with keys that come again.
func TestAnyAppends(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(folder, "vectors")
		_ = os.Remove(path)
		stamp := vectors.Stamp{Model: rapid.StringN(0, 40, 200).Draw(t, "model"), Dimensions: rapid.IntRange(1, 130).Draw(t, "dimensions")}
		random := newRandom(rapid.Uint64().Draw(t, "seed"))
		var keys []uint64
		var rows [][]float32
		for range rapid.IntRange(1, 4).Draw(t, "batches") {
			batch := rapid.SliceOfN(rapid.Uint64Range(0, 300), 1, 200).Draw(t, "keys")
			values := unitVectors(random, len(batch), stamp.Dimensions)
			if rapid.Bool().Draw(t, "zero") {
				clear(values[0])
			}
			if err := vectors.Append(path, stamp, batch, values); err != nil {
				t.Fatal(err)
			}
			for i, key := range batch {
				if !slices.Contains(keys, key) {
					keys, rows = append(keys, key), append(rows, values[i])
				}
			}
		}
		file, err := vectors.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		if file.Len() != len(keys) || file.Stamp() != stamp {
			t.Fatalf("%+v, %d rows of %d", file.Stamp(), file.Len(), len(keys))
		}
		for i := range keys {
			if row, ok := file.Row(keys[i]); !ok || row != i || !slices.Equal(file.Vector(i), rows[i]) {
				t.Fatalf("key %d: %d %v", keys[i], row, ok)
			}
		}
	})
}

// TestReplaced: another stamp or damage makes a new file; who has the old one
// open keeps it.
func TestReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	old := vectors.Stamp{Model: "old", Dimensions: 4}
	keys, rows := keysFrom(0, 10), unitVectors(newRandom(2), 10, 4)
	mustAppend(t, path, old, keys, rows)
	reader := mustOpen(t, path)
	for _, stamp := range []vectors.Stamp{{"new", 4}, {"new", 5}, {"", 1}} {
		others := unitVectors(newRandom(3), 3, stamp.Dimensions)
		mustAppend(t, path, stamp, keys[:0], others[:0])
		if got := mustOpen(t, path).Stamp(); got == stamp {
			t.Errorf("nothing to append made a file of %+v", stamp)
		}
		mustAppend(t, path, stamp, keys[:3], others)
		checkRows(t, mustOpen(t, path), stamp, keys[:3], others)
	}
	if err := os.WriteFile(path+".new", []byte("left by a writer that died"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, path, old, keys[:5], rows[:5])
	checkRows(t, mustOpen(t, path), old, keys[:5], rows[:5])
	checkRows(t, reader, old, keys, rows)
	if files, _ := filepath.Glob(path + "*"); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}

// TestRefused: what cannot be appended is an error and changes nothing.
func TestRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	stamp := vectors.Stamp{Model: "m", Dimensions: 2}
	good := [][]float32{{1, 0}}
	mustAppend(t, path, stamp, []uint64{1}, good)
	before, _ := os.ReadFile(path)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, test := range map[string]struct {
		stamp   vectors.Stamp
		vectors [][]float32
	}{
		"no dimensions":   {vectors.Stamp{Model: "m"}, [][]float32{{}}},
		"too many":        {vectors.Stamp{Model: "m", Dimensions: 8193}, [][]float32{make([]float32, 8193)}},
		"negative":        {vectors.Stamp{Model: "m", Dimensions: -1}, good},
		"long model":      {vectors.Stamp{Model: strings.Repeat("m", 201), Dimensions: 2}, good},
		"two vectors":     {stamp, [][]float32{{1, 0}, {0, 1}}},
		"other dimension": {stamp, [][]float32{{1, 0, 0}}},
		"long":            {stamp, [][]float32{{1, 1}}},
		"short":           {stamp, [][]float32{{0.5, 0}}},
		"NaN":             {stamp, [][]float32{{nan, 0}}},
		"infinite":        {stamp, [][]float32{{inf, 0}}},
	} {
		if err := vectors.Append(path, test.stamp, []uint64{2}, test.vectors); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if after, _ := os.ReadFile(path); !slices.Equal(before, after) {
		t.Error("the file has changed")
	}
	if _, err := vectors.Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	folder := t.TempDir()
	if _, err := vectors.Open(folder); err == nil || errors.Is(err, vectors.ErrDamaged) {
		t.Errorf("a folder: %v", err)
	}
	if err := vectors.Append(folder, stamp, []uint64{1}, good); err == nil {
		t.Error("appended to a folder")
	}
}

// TestWrongRow: a row that is not there is a programmer's error, even where
// the last block has room for it; after Close no row is there.
func TestWrongRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	mustAppend(t, path, vectors.Stamp{Model: "m", Dimensions: 1}, []uint64{0, 1}, [][]float32{{1}, {-1}})
	file := mustOpen(t, path)
	for _, row := range []int{-1, 2, 4096} {
		for name, call := range map[string]func(){"key": func() { file.Key(row) }, "vector": func() { file.Vector(row) }} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s of row %d", name, row)
					}
				}()
				call()
			}()
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := file.Nearest([]float32{1}, 1, nil); file.Len() != 0 || len(got) != 0 || err != nil {
		t.Errorf("closed: %d rows, %v %v", file.Len(), got, err)
	}
}

// TestReadersWhileAppending: a reader sees a whole prefix of what is appended
// and goes on seeing the same, while the file grows and is replaced.
func TestReadersWhileAppending(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	stamp := vectors.Stamp{Model: "m", Dimensions: 3}
	const n, step = 6000, 150
	keys, rows := keysFrom(0, n), unitVectors(newRandom(4), n, 3)
	mustAppend(t, path, stamp, keys[:step], rows[:step])
	var wg sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		wg.Go(func() {
			for most := 0; ; {
				file, err := vectors.Open(path)
				if err != nil {
					t.Error(err)
					return
				}
				if file.Len()%step != 0 || file.Len() < most {
					t.Errorf("%d rows after %d", file.Len(), most)
				}
				most = file.Len()
				last := most - 1
				got, err := file.Nearest(rows[last], 1, nil)
				if diff := cmp.Diff([]vectors.Neighbour{{Row: last, Cosine: 1}}, got, near); diff != "" || err != nil {
					t.Error(diff, err)
				}
				if row, ok := file.Row(keys[last]); !ok || row != last {
					t.Errorf("key of row %d is at %d", last, row)
				}
				_ = file.Close()
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for end := 2 * step; end <= n; end += step {
		mustAppend(t, path, stamp, keys[end-step:end], rows[end-step:end])
	}
	close(done)
	wg.Wait()
	checkRows(t, mustOpen(t, path), stamp, keys, rows)
}
