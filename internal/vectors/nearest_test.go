package vectors_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"engram/internal/vectors"
)

// near allows for single precision.
var near = cmpopts.EquateApprox(0, 1e-6)

// bruteForce ranks all rows that are not zero, in double precision.
func bruteForce(rows [][]float32, query []float32, k int, accept func(int) bool) []vectors.Neighbour {
	query = slices.Clone(query)
	normalize(query)
	cosines := make([]float64, len(rows))
	var order []int
	for row, vector := range rows {
		cosines[row] = cosine(query, vector)
		if cosine(vector, vector) != 0 && (accept == nil || accept(row)) {
			order = append(order, row)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case cosines[a] > cosines[b]:
			return -1
		case cosines[a] < cosines[b]:
			return 1
		}
		return a - b
	})
	result := []vectors.Neighbour{}
	for _, row := range order[:min(k, len(order))] {
		result = append(result, vectors.Neighbour{Row: row, Cosine: float32(cosines[row])})
	}
	return result
}

// checkNeighbours compares with brute force over the same rows. Rows may change
// places where single precision cannot tell their cosines apart.
func checkNeighbours(t testing.TB, rows [][]float32, query []float32, want, got []vectors.Neighbour) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	query = slices.Clone(query)
	normalize(query)
	seen := map[int]bool{}
	for i, neighbour := range got {
		truth := float32(cosine(query, rows[neighbour.Row]))
		if seen[neighbour.Row] || !cmp.Equal(neighbour.Cosine, truth, near) || !cmp.Equal(want[i].Cosine, truth, near) {
			t.Fatalf("place %d: %+v of cosine %v, want %+v", i, neighbour, truth, want[i])
		}
		seen[neighbour.Row] = true
	}
}

// fileOf makes a file and opens it.
func fileOf(t testing.TB, rows [][]float32) *vectors.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "vectors")
	mustAppend(t, path, vectors.Stamp{Model: "m", Dimensions: len(rows[0])}, keysFrom(0, len(rows)), rows)
	return mustOpen(t, path)
}

// TestNearestIsExact up to 20,000 rows.
func TestNearestIsExact(t *testing.T) {
	random := newRandom(6)
	for _, size := range []struct{ n, dimensions int }{{1, 1}, {1, 70}, {50, 3}, {4097, 65}, {20_000, 16}} {
		rows := unitVectors(random, size.n, size.dimensions)
		clear(rows[size.n/2])
		file := fileOf(t, rows)
		for _, k := range []int{1, 10, size.n + 1} {
			for name, accept := range map[string]func(int) bool{
				"all": nil, "every third": func(row int) bool { return row%3 == 0 }, "none": func(int) bool { return false },
			} {
				query := unitVectors(random, 1, size.dimensions)[0]
				for i := range query {
					query[i] *= 17
				}
				got, err := file.Nearest(query, k, accept)
				if err != nil {
					t.Errorf("%+v, k %d, %s: %v", size, k, name, err)
				}
				checkNeighbours(t, rows, query, bruteForce(rows, query, k, accept), got)
			}
		}
	}
}

// TestTies: equal cosines come by row, on both paths.
func TestTies(t *testing.T) {
	for _, n := range []int{100, 20_001} {
		rows := make([][]float32, n)
		for i := range rows {
			rows[i] = []float32{float32(i % 2), float32((i + 1) % 2), 0}
		}
		want := []vectors.Neighbour{{Row: 1, Cosine: 1}, {Row: 3, Cosine: 1}, {Row: 5, Cosine: 1}}
		got, err := fileOf(t, rows).Nearest([]float32{2, 0, 0}, 3, nil)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%d rows: %v %s", n, err, diff)
		}
	}
}

// TestQueries: what cannot be asked, and what has no answer.
func TestQueries(t *testing.T) {
	file := fileOf(t, [][]float32{{1, 0}, {0, 0}})
	for name, query := range map[string][]float32{
		"short": {1}, "long": {1, 0, 0}, "none": nil,
		"NaN": {float32(math.NaN()), 0}, "infinite": {float32(math.Inf(-1)), 0},
	} {
		if _, err := file.Nearest(query, 1, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, test := range map[string]struct {
		query []float32
		k     int
	}{"zero": {[]float32{0, 0}, 1}, "k 0": {[]float32{1, 0}, 0}, "k -1": {[]float32{1, 0}, -1}} {
		if got, err := file.Nearest(test.query, test.k, nil); len(got) != 0 || err != nil {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
	for _, length := range []float32{math.MaxFloat32, math.SmallestNonzeroFloat32} {
		got, err := file.Nearest([]float32{length, 0}, 2, nil)
		if diff := cmp.Diff([]vectors.Neighbour{{Row: 0, Cosine: 1}}, got); diff != "" || err != nil {
			t.Errorf("length %g: %v %s", length, err, diff)
		}
	}
}

// TestAccept: on both paths accept is asked from the best down, never twice,
// no more than needed, and whatever it refuses, k rows come where there are k.
func TestAccept(t *testing.T) {
	const k = 5
	for _, n := range []int{1000, 25_000} {
		rows := clustered(newRandom(7), n, 32, 0.5, 0.5)
		file := fileOf(t, rows)
		query := rows[n/2]
		for name, test := range map[string]struct {
			accept func(row int) bool
			want   int // rows
			asked  int // at most
		}{
			"all":       {func(int) bool { return true }, k, k},
			"next best": {func(row int) bool { return row != n/2 }, k, k + 1},
			"few":       {func(row int) bool { return row%200 == 7 }, k, n},
			"four":      {func(row int) bool { return row%(n/4) == 0 }, 4, n},
			"none":      {func(int) bool { return false }, 0, n},
		} {
			asked := map[int]bool{}
			last := float64(1.1)
			got, err := file.Nearest(query, k, func(row int) bool {
				if asked[row] {
					t.Errorf("%d, %s: asked twice for row %d", n, name, row)
				}
				asked[row] = true
				if c := cosine(query, rows[row]); n <= 20_000 && c > last+1e-6 {
					t.Errorf("%d, %s: row %d was asked late", n, name, row)
				} else {
					last = c
				}
				return test.accept(row)
			})
			if err != nil || len(got) != test.want || len(asked) > test.asked {
				t.Errorf("%d, %s: %d rows, %d asked, %v", n, name, len(got), len(asked), err)
			}
			// Everything was compared where too little is acceptable.
			if n <= 20_000 || test.want < k {
				checkNeighbours(t, rows, query, bruteForce(rows, query, k, test.accept), got)
			}
			for _, neighbour := range got {
				if !test.accept(neighbour.Row) {
					t.Errorf("%d, %s: row %d", n, name, neighbour.Row)
				}
			}
		}
	}
}

// TestDamagedRows: values that are no unit vector do not come up and do not
// crowd out those that are, on both paths.
func TestDamagedRows(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	bad := [][]float32{{nan, 0}, {inf, 0}, {-inf, 0}, {inf, -inf}, {3, 0}, {1e30, 1e30}, {0.5, 0}, {0, 0}}
	for _, n := range []int{100, 21_000} {
		rows := unitVectors(newRandom(8), n, 2)
		path := filepath.Join(t.TempDir(), "vectors")
		mustAppend(t, path, tiny, keysFrom(0, n), rows)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, values := range bad {
			at := headerSize + 20*blockRows + 8*i
			for j, value := range values {
				binary.NativeEndian.PutUint32(content[at+4*j:], math.Float32bits(value))
			}
			rows[i] = []float32{0, 0}
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		file := mustOpen(t, path)
		for _, query := range [][]float32{{1, 0}, {-1, 0}, {1, 1}} {
			got, err := file.Nearest(query, 90, nil)
			if err != nil || len(got) != 90 {
				t.Fatalf("%d rows, %v", len(got), err)
			}
			for i, neighbour := range got {
				if neighbour.Row < len(bad) || !(neighbour.Cosine >= -1 && neighbour.Cosine <= 1) {
					t.Errorf("%d: %+v", i, neighbour)
				}
			}
			if want := bruteForce(rows, query, 90, nil); n <= 20_000 {
				checkNeighbours(t, rows, query, want, got)
			}
		}
	}
}

func ExampleFile_Nearest() {
	folder, _ := os.MkdirTemp("", "vectors")
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "vectors")
	stamp := vectors.Stamp{Model: "example", Dimensions: 2}
	err := vectors.Append(path, stamp, []uint64{7, 8, 9}, [][]float32{{1, 0}, {0, 1}, {0.6, 0.8}})
	if err != nil {
		panic(err)
	}
	file, err := vectors.Open(path)
	if err != nil {
		panic(err)
	}
	defer func() { _ = file.Close() }()
	neighbours, _ := file.Nearest([]float32{1, 0}, 2, nil)
	for _, n := range neighbours {
		fmt.Println(file.Key(n.Row), n.Cosine)
	}
	// Output:
	// 7 1
	// 9 0.6
}
