package model_test

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"engram/model"
	"engram/model/modeltest"
)

// dataFolder is where large fixtures are kept, outside the repository.
func dataFolder(t testing.TB, path ...string) string {
	t.Helper()
	root := os.Getenv("ENGRAM_DATA")
	if root == "" {
		t.Skip("ENGRAM_DATA is not set: it names the folder with models/model2vec-fixtures")
	}
	return filepath.Join(append([]string{root, "models"}, path...)...)
}

func embed(t testing.TB, e model.Embedder, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := e.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(vectors) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(vectors), len(texts))
	}
	return vectors
}

func near(a, b []float32, tolerance float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Abs(float64(a[i]-b[i])) > tolerance || a[i] != a[i] {
			return false
		}
	}
	return true
}

// TestStaticReproducesTheLibrary compares with vectors that the model2vec
// library gave for its own test models.
func TestStaticReproducesTheLibrary(t *testing.T) {
	root := dataFolder(t, "model2vec-fixtures")
	for _, name := range []string{"test-model-float32", "test-model-int8"} {
		s, err := model.OpenStatic(os.DirFS(filepath.Join(root, name)))
		if err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{
			"embeddings_short.json": "hello world",
			"embeddings_long.json":  strings.TrimSpace(strings.Repeat("hello ", 1000)),
		} {
			b, err := os.ReadFile(filepath.Join(root, file))
			if err != nil {
				t.Fatal(err)
			}
			var want [][]float32
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatal(err)
			}
			got := embed(t, s, text)
			tolerance := 1e-6
			if name == "test-model-int8" { // the vectors are those of the other model
				tolerance = 0.01
			}
			if !near(got[0], want[0], tolerance) {
				t.Errorf("%s: %s: %v, want %v", name, file, got[0], want[0])
			}
		}
	}
}

func words(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	list, seen := make([]string, 0, n), map[string]bool{}
	for len(list) < n {
		b := make([]byte, 3+r.IntN(8))
		for i := range b {
			b[i] = byte('a' + r.IntN(26))
		}
		if w := string(b); !seen[w] {
			seen[w] = true
			list = append(list, w)
		}
	}
	return list
}

// benchModel has the size of a real table: 30,000 words of 256 dimensions.
func benchModel(b *testing.B) (dir string, claims []string) {
	b.Helper()
	list, r := words(30000), rand.New(rand.NewPCG(3, 4))
	vectors := make(map[string][]float32, len(list))
	for _, w := range list {
		v := make([]float32, 256)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		vectors[w] = v
	}
	dir = b.TempDir()
	if err := modeltest.Static(dir, vectors); err != nil {
		b.Fatal(err)
	}
	for range 256 {
		var claim strings.Builder
		for claim.Len() < 148 {
			claim.WriteString(list[r.IntN(len(list))] + " ")
		}
		claims = append(claims, claim.String()+".")
	}
	return dir, claims
}

func BenchmarkStaticEmbed(b *testing.B) {
	dir, claims := benchModel(b)
	s, err := model.OpenStaticDir(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	n := 0
	for b.Loop() {
		if _, err := s.Embed(b.Context(), claims); err != nil {
			b.Fatal(err)
		}
		n += len(claims)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "claims/s")
}

// old is a time that no file system's clock confuses with now.
var old = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func BenchmarkOpenStatic(b *testing.B) {
	dir, _ := benchModel(b)
	entries, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, e := range entries { // settled files, as after any pull
		if err := os.Chtimes(e, old, old); err != nil {
			b.Fatal(err)
		}
	}
	open := func() {
		s, err := model.OpenStaticDir(dir)
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
	b.Run("recorded", func(b *testing.B) {
		if err := model.Remember(dir); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			open()
		}
	})
	b.Run("hashed", func(b *testing.B) {
		for b.Loop() {
			os.Remove(filepath.Join(dir, "engram.json"))
			open()
		}
	})
}
