package index_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"engram/fixtures"
	"engram/index"
)

var sizes = []int{1_000, 10_000, 100_000}

// memories keeps the sources of the benchmarks, which take long to make.
var memories sync.Map

func benchMemory(n int) *memory {
	m, _ := memories.LoadOrStore(n, sync.OnceValue(func() *memory { return grown(n, 6000) }))
	return m.(func() *memory)()
}

func eachSize(b *testing.B, run func(b *testing.B, m *memory)) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) { run(b, benchMemory(n)) })
	}
}

// processorTime is what this process has used so far, in all threads.
func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// timer takes the time of single operations, and processor time beside it,
// which tells what an operation costs on a machine that others use as well.
type timer struct {
	took []time.Duration
	cpu  time.Duration
}

func (t *timer) run(work func() error) error {
	cpu, start := processorTime(), time.Now()
	err := work()
	t.took = append(t.took, time.Since(start))
	t.cpu += processorTime() - cpu
	return err
}

// report gives the median and the 95th percentile.
func (t *timer) report(b *testing.B) {
	took := t.took
	if t.cpu > 0 {
		b.ReportMetric(milliseconds(t.cpu)/float64(len(took)), "cpu-ms/op")
	}
	slices.Sort(took)
	b.ReportMetric(milliseconds(took[len(took)/2]), "p50-ms")
	b.ReportMetric(milliseconds(took[len(took)*95/100]), "p95-ms")
	b.ReportMetric(0, "ns/op")
}

func folderSize(b *testing.B, dir string) (bytes int64, files int) {
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			bytes, files = bytes+info.Size(), files+1
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return bytes, files
}

func BenchmarkRebuild(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) {
			source := newPacked(b, n)
			var t timer
			for b.Loop() {
				dir := filepath.Join(b.TempDir(), "index")
				err := t.run(func() error {
					_, err := index.New(dir, source, nil).CatchUp(b.Context(), "main-0")
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
				bytes, files := folderSize(b, dir)
				b.ReportMetric(float64(bytes)/1e6, "MB")
				b.ReportMetric(float64(files), "files")
				os.RemoveAll(dir)
			}
			b.ReportMetric(float64(peakMemory())/1e6, "peak-MB")
			t.report(b)
		})
	}
}

// peakMemory is the largest resident set this process ever had, in bytes.
func peakMemory() int64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Maxrss << 10
}

// built returns an index that reflects the first revision of m.
func built(b *testing.B, m *memory) (*index.Index, string) {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "index")
	x := index.New(dir, m, nil)
	if _, err := x.CatchUp(b.Context(), m.name(1)); err != nil {
		b.Fatal(err)
	}
	return x, dir
}

func benchCatchUp(b *testing.B, step int) {
	eachSize(b, func(b *testing.B, m *memory) {
		x, dir := built(b, m)
		var t timer
		revision := 1
		for b.Loop() {
			if revision += step; revision >= len(m.log) {
				b.StopTimer()
				x, dir = built(b, m)
				revision = 1 + step
				b.StartTimer()
			}
			err := t.run(func() error {
				_, err := x.CatchUp(b.Context(), m.name(revision))
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		bytes, files := folderSize(b, dir)
		b.ReportMetric(float64(bytes)/1e6, "MB")
		b.ReportMetric(float64(files), "files")
		t.report(b)
	})
}

func BenchmarkCatchUpOne(b *testing.B) { benchCatchUp(b, 1) }
func BenchmarkCatchUpTen(b *testing.B) { benchCatchUp(b, 10) }

func question(i int, questions []string) index.Query {
	q := index.Query{Text: questions[i%len(questions)], Now: fixtures.End()}
	if i%2 == 1 {
		q.Scope = fixtures.Scopes()[i/2%8]
	}
	return q
}

func search(ctx context.Context, v *index.View, q index.Query) error {
	_, _, err := v.Search(ctx, q)
	return err
}

func BenchmarkQueryHeld(b *testing.B) {
	questions := fixtures.Questions(1000, 2)
	eachSize(b, func(b *testing.B, m *memory) {
		x, _ := built(b, m)
		var t timer
		_, err := x.View(b.Context(), m.name(1), func(v *index.View) error {
			for i := 0; b.Loop(); i++ {
				if err := t.run(func() error { return search(b.Context(), v, question(i, questions)) }); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		t.report(b)
	})
}

func BenchmarkQueryOpened(b *testing.B) {
	questions := fixtures.Questions(1000, 2)
	eachSize(b, func(b *testing.B, m *memory) {
		x, _ := built(b, m)
		var t timer
		for i := 0; b.Loop(); i++ {
			err := t.run(func() error {
				_, err := x.View(b.Context(), m.name(1), func(v *index.View) error {
					return search(b.Context(), v, question(i, questions))
				})
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		t.report(b)
	})
}

// BenchmarkMixed has two readers and two writers at work at once, each opening
// the index for every operation as separate processes do. An iteration is one
// operation of each.
func BenchmarkMixed(b *testing.B) {
	questions := fixtures.Questions(1000, 2)
	eachSize(b, func(b *testing.B, m *memory) {
		_, dir := built(b, m)
		var revision atomic.Int64
		revision.Store(1)
		var readers, writers [2]timer
		cpu := processorTime()
		for b.Loop() {
			var workers sync.WaitGroup
			for i := range readers {
				workers.Go(func() {
					q := question(len(readers[i].took)*2+i, questions)
					err := readers[i].run(func() error {
						_, err := index.New(dir, m, nil).View(b.Context(), m.name(int(revision.Load())), func(v *index.View) error {
							return search(b.Context(), v, q)
						})
						return err
					})
					if err != nil {
						b.Error(err)
					}
				})
				workers.Go(func() {
					next := min(revision.Add(1), int64(len(m.log)-1))
					err := writers[i].run(func() error {
						_, err := index.New(dir, m, nil).CatchUp(b.Context(), m.name(int(next)))
						return err
					})
					if err != nil {
						b.Error(err)
					}
				})
			}
			workers.Wait()
		}
		reading := timer{took: slices.Concat(readers[0].took, readers[1].took)}
		b.ReportMetric(milliseconds(processorTime()-cpu)/float64(2*len(reading.took)), "cpu-ms/op")
		writing := slices.Concat(writers[0].took, writers[1].took)
		slices.Sort(writing)
		b.ReportMetric(milliseconds(writing[len(writing)/2]), "write-p50-ms")
		b.ReportMetric(milliseconds(writing[len(writing)*95/100]), "write-p95-ms")
		reading.report(b)
	})
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
