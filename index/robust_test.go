package index_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/fixtures"
	"engram/index"
)

// current lists the files of the index in dir, largest first by name.
func current(t *testing.T, dir, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "current", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s in %s: %v", pattern, dir, err)
	}
	return files
}

func overwrite(t *testing.T, file string, at float64, garbage []byte) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(garbage, int64(float64(info.Size())*at)); err != nil {
		t.Fatal(err)
	}
}

// Whatever happens to the files of an index, the next call builds it anew, says
// so, and answers as before. It never panics, hangs or gives other answers.
func TestDamageIsRepaired(t *testing.T) {
	garbage := make([]byte, 5000)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range garbage {
		garbage[i] = byte(r.Uint32())
	}
	damages := map[string]func(t *testing.T, dir string){
		"segment truncated": func(t *testing.T, dir string) {
			for _, f := range current(t, dir, "*.zap") {
				must(t, os.Truncate(f, 1000))
			}
		},
		"segment empty":            func(t *testing.T, dir string) { must(t, os.Truncate(current(t, dir, "*.zap")[0], 0)) },
		"segment gone":             func(t *testing.T, dir string) { must(t, os.Remove(current(t, dir, "*.zap")[0])) },
		"garbage in a segment":     func(t *testing.T, dir string) { overwrite(t, current(t, dir, "*.zap")[0], 0.4, garbage) },
		"one byte of a segment":    func(t *testing.T, dir string) { overwrite(t, current(t, dir, "*.zap")[0], 0.6, []byte{0x5a}) },
		"garbage at a segment end": func(t *testing.T, dir string) { overwrite(t, current(t, dir, "*.zap")[0], 0.99, garbage) },
		"list truncated":           func(t *testing.T, dir string) { must(t, os.Truncate(current(t, dir, "root.bolt")[0], 4096)) },
		"list empty":               func(t *testing.T, dir string) { must(t, os.Truncate(current(t, dir, "root.bolt")[0], 0)) },
		"list gone":                func(t *testing.T, dir string) { must(t, os.Remove(current(t, dir, "root.bolt")[0])) },
		"garbage in the list":      func(t *testing.T, dir string) { overwrite(t, current(t, dir, "root.bolt")[0], 0, garbage) },
		"garbage everywhere": func(t *testing.T, dir string) {
			for i, f := range current(t, dir, "*") {
				overwrite(t, f, float64(i%4)/4, garbage)
			}
		},
		"garbage in list and seal": func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, "current", "seal.json"), []byte("{"), 0o644))
			overwrite(t, current(t, dir, "root.bolt")[0], 0.3, garbage)
			overwrite(t, current(t, dir, "root.bolt")[0], 0, garbage)
		},
		"list of another index": func(t *testing.T, dir string) {
			must(t, os.WriteFile(current(t, dir, "root.bolt")[0], garbage, 0o644))
		},
		"everything gone but the folder": func(t *testing.T, dir string) {
			for _, f := range current(t, dir, "*") {
				must(t, os.Remove(f))
			}
		},
		"a file in its place": func(t *testing.T, dir string) {
			must(t, os.RemoveAll(filepath.Join(dir, "current")))
			must(t, os.WriteFile(filepath.Join(dir, "current"), garbage, 0o644))
		},
	}
	m := grown(150, 3)
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "index")
			x := index.New(dir, m, nil)
			for _, n := range []int{1, 2, 3} { // several segments
				if _, err := x.CatchUp(ctx, m.name(n)); err != nil {
					t.Fatal(err)
				}
			}
			want := contents(t, x, m.name(3))
			damage(t, dir)
			report, err := x.CatchUp(ctx, m.name(3))
			if err != nil {
				t.Fatal(err)
			}
			if !report.Rebuilt || !strings.Contains(report.Reason, "damaged") {
				t.Errorf("report %+v does not say that the index was damaged", report)
			}
			if diff := cmp.Diff(want, contents(t, x, m.name(3))); diff != "" {
				t.Errorf("other answers than before: %s", diff)
			}
			if report, err = x.CatchUp(ctx, m.tip()); err != nil || report.Rebuilt {
				t.Errorf("afterwards: %+v, %v", report, err)
			}
		})
	}
}

// Damage that shows only while a view is open makes it be built anew and the
// view be given again. Here the files shrink under their mappings.
func TestDamageWhileReading(t *testing.T) {
	m := grown(200, 0)
	dir := filepath.Join(t.TempDir(), "index")
	x := index.New(dir, m, nil)
	_, err := x.CatchUp(ctx, m.tip())
	must(t, err)
	calls := 0
	report, err := x.View(ctx, m.tip(), func(v *index.View) error {
		if calls++; calls == 1 {
			for _, f := range current(t, dir, "*.zap") {
				must(t, os.Truncate(f, 0))
			}
		}
		hits, _, err := v.Search(ctx, index.Query{Text: fixtures.Questions(1, 1)[0], Now: fixtures.End()})
		if err == nil && len(hits) == 0 {
			t.Error("nothing found")
		}
		return err
	})
	if err != nil || calls != 2 || !report.Rebuilt || !strings.Contains(report.Reason, "damaged") {
		t.Errorf("%d calls, %+v, %v", calls, report, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What is no damage does not make it be built anew.
func TestHarmlessChanges(t *testing.T) {
	m := grown(100, 2)
	dir := filepath.Join(t.TempDir(), "index")
	x := index.New(dir, m, nil)
	_, err := x.CatchUp(ctx, m.name(2))
	must(t, err)
	copied := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(copied, os.DirFS(dir))) // other times of writing
	must(t, os.Remove(filepath.Join(copied, "current", "seal.json")))
	must(t, os.WriteFile(filepath.Join(copied, "current", "ffffff.zap"), []byte("left by a writer that died"), 0o644))
	must(t, os.WriteFile(filepath.Join(copied, "current", "writing"), nil, 0o644))
	report, err := index.New(copied, m, nil).CatchUp(ctx, m.tip())
	if err != nil || report.Rebuilt || report.Indexed != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestOtherVersionIsRebuilt(t *testing.T) {
	m := grown(50, 0)
	for _, v := range [][2]int{{99, 1}, {1, 99}, {0, 0}} {
		x := index.New(filepath.Join(t.TempDir(), "index"), m, nil)
		_, err := x.CatchUp(ctx, m.tip())
		must(t, err)
		want := contents(t, x, m.tip())
		must(t, index.WriteStamp(x, v[0], v[1]))
		report, err := x.CatchUp(ctx, m.tip())
		if err != nil || !report.Rebuilt || !strings.Contains(report.Reason, "version") {
			t.Errorf("layout %d, analysis %d: %+v, %v", v[0], v[1], report, err)
		}
		if diff := cmp.Diff(want, contents(t, x, m.tip())); diff != "" {
			t.Error(diff)
		}
	}
}

func TestRewrittenHistoryIsRebuilt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	_, err := index.New(dir, grown(50, 0), nil).CatchUp(ctx, "main-1")
	must(t, err)
	other := newMemory("other")
	other.put(fact(t, "domain/c/k", "all is new", 1))
	x := index.New(dir, other, nil)
	report, err := x.CatchUp(ctx, other.tip())
	if err != nil || !report.Rebuilt || report.Reason != "the history was rewritten" || report.Indexed != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

// An index that is ahead serves those who ask for less, and says so.
func TestAheadIsUsedAsItIs(t *testing.T) {
	m := grown(50, 2)
	x := index.New(filepath.Join(t.TempDir(), "index"), m, nil)
	_, err := x.CatchUp(ctx, m.tip())
	must(t, err)
	report, err := x.CatchUp(ctx, m.name(1))
	if want := (index.Report{Revision: m.tip()}); err != nil || report != want {
		t.Errorf("%+v, %v, want %+v", report, err, want)
	}
}

// Content that is no fact of its key is counted and stops nothing.
func TestBadFilesAreSkipped(t *testing.T) {
	m := grown(20, 0)
	x := index.New(filepath.Join(t.TempDir(), "index"), m, nil)
	_, err := x.CatchUp(ctx, m.tip())
	must(t, err)
	good := fact(t, "domain/c/good", "a good claim", 1)
	m.commit(map[string][]byte{
		"domain/c/binary": {0, 1, 2, 0xff}, "domain/c/huge": []byte(strings.Repeat("a: b\n", 1<<20)),
		"domain/c/bomb": []byte("a: &a [x,x]\nb: *a\n"), "domain/c/other": marshal(good), "domain/c/good": marshal(good),
	})
	for _, fresh := range []bool{false, true} {
		if fresh {
			must(t, x.Remove(ctx))
		}
		report, err := x.CatchUp(ctx, m.tip())
		if err != nil || report.Skipped != 4 || report.Rebuilt != fresh {
			t.Errorf("%+v, %v", report, err)
		}
		if got := find(t, x, m, index.Query{Text: "good claim", Limit: 1}); len(got) != 1 || got[0] != "domain/c/good" {
			t.Errorf("found %v", got)
		}
	}
}

func TestCancelledBuildHarmsNothing(t *testing.T) {
	m := grown(3000, 0)
	dir := filepath.Join(t.TempDir(), "index")
	cancelled, cancel := context.WithCancel(ctx)
	x := index.New(dir, m, &index.Options{Progress: func(done, total int) {
		if done > 500 {
			cancel()
		}
	}})
	if _, err := x.CatchUp(cancelled, m.tip()); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want %v", err, context.Canceled)
	}
	left, err := os.ReadDir(dir)
	must(t, err)
	for _, entry := range left {
		if !strings.HasSuffix(entry.Name(), "lock") {
			t.Errorf("left behind: %v", entry.Name())
		}
	}
	report, err := index.New(dir, m, nil).CatchUp(ctx, m.tip())
	if err != nil || !report.Rebuilt || report.Indexed != 3000 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestProgressReachesTheTotal(t *testing.T) {
	m := grown(700, 0)
	last, total := 0, 0
	x := index.New(filepath.Join(t.TempDir(), "index"), m, &index.Options{Progress: func(d, n int) {
		if d < last {
			t.Errorf("progress went back from %d to %d", last, d)
		}
		last, total = d, n
	}})
	_, err := x.CatchUp(ctx, m.tip())
	must(t, err)
	if last != 700 || total != 700 {
		t.Errorf("progress ended at %d of %d", last, total)
	}
}

// A source that fails is no damage, and its error comes through.
func TestSourceErrorsComeThrough(t *testing.T) {
	m := grown(20, 1)
	x := index.New(filepath.Join(t.TempDir(), "index"), m, nil)
	if _, err := x.CatchUp(ctx, "main-99"); err == nil || !strings.Contains(err.Error(), "no revision main-99") {
		t.Errorf("cold: %v", err)
	}
	_, err := x.CatchUp(ctx, m.name(1))
	must(t, err)
	if _, err := x.CatchUp(ctx, "main-99"); err == nil || !strings.Contains(err.Error(), "no revision main-99") {
		t.Errorf("warm: %v", err)
	}
	want := errors.New("what the caller does is the caller's")
	if _, err := x.View(ctx, m.tip(), func(*index.View) error { return want }); !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
	if _, err := x.View(ctx, m.tip(), func(*index.View) error { return os.ErrPermission }); !errors.Is(err, os.ErrPermission) {
		t.Errorf("%v, want %v", err, os.ErrPermission)
	}
}

func TestStatsAndRemove(t *testing.T) {
	m := grown(40, 1)
	x := index.New(filepath.Join(t.TempDir(), "index"), m, nil)
	if s, err := x.Stats(ctx); err != nil || s != (index.Stats{}) {
		t.Errorf("without an index: %+v, %v", s, err)
	}
	must(t, x.Remove(ctx))
	_, err := x.CatchUp(ctx, m.tip())
	must(t, err)
	if s, err := x.Stats(ctx); err != nil || s.Documents != 41 || s.Revision != m.tip() || s.Bytes < 10_000 {
		t.Errorf("%+v, %v", s, err)
	}
	must(t, x.Remove(ctx))
	if s, err := x.Stats(ctx); err != nil || s != (index.Stats{}) {
		t.Errorf("after removal: %+v, %v", s, err)
	}
}
