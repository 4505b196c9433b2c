package index_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"engram/index"
)

// Many small catch-ups, each by a process of its own, leave few segments.
func TestSegmentsStayFew(t *testing.T) {
	const changes = 150
	m := grown(100, changes)
	dir := filepath.Join(t.TempDir(), "index")
	most := 0
	for n := 1; n <= changes+1; n++ {
		x := index.New(dir, m, nil)
		if _, err := x.CatchUp(ctx, m.name(n)); err != nil {
			t.Fatal(err)
		}
		stats, err := x.Stats(ctx)
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, stats.Segments)
	}
	if most > 26 || most < 5 {
		t.Errorf("up to %d segments after %d catch-ups", most, changes)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "current", "*"))
	if len(files) > 2*most {
		t.Errorf("%d files for %d segments", len(files), most)
	}
}

// A key that changes all the time costs no more the longer its history is.
func TestLongHistoriesAreNotReadAgain(t *testing.T) {
	m := newMemory("main")
	x := index.New(filepath.Join(t.TempDir(), "index"), m, nil)
	for n := 1; n <= 28; n++ {
		m.put(fact(t, "domain/c/status", fmt.Sprintf("the count is %d", n), n))
		before := m.reads
		if _, err := x.CatchUp(ctx, m.tip()); err != nil {
			t.Fatal(err)
		}
		if reads := m.reads - before; reads > 2 {
			t.Errorf("%d reads for version %d", reads, n)
		}
	}
	for _, n := range []int{1, 14, 28} {
		if claims := claimsFound(t, x, m, index.Query{Text: "count", AsOf: day(n)}); len(claims) != 1 {
			t.Errorf("as of day %d: %d versions", n, len(claims))
		}
	}
}
