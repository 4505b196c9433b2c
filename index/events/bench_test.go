package events_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"engram/index/events"
)

// synthetic is a source of many events that are made while they are read: as in real
// sessions, few are long and most of the text is in those.
type synthetic struct {
	events, perSession int
	tips               map[string]string
	bytes              int64
	stored             bool // with the texts of messages and calls
}

func newSynthetic(n int) *synthetic {
	s := &synthetic{events: n, perSession: 1000, tips: make(map[string]string)}
	for i := 0; i*s.perSession < n; i++ {
		s.tips[sessionName(i)] = tip(0, min(s.perSession, n-i*s.perSession))
	}
	return s
}

func sessionName(i int) string { return fmt.Sprintf("%08x-1111-4222-8333-444444444444", i) }

func (s *synthetic) Tips(context.Context) (map[string]string, error) { return maps.Clone(s.tips), nil }

func (s *synthetic) Events(_ context.Context, session, from, to string) iter.Seq2[events.Doc, error] {
	return func(yield func(events.Doc, error) bool) {
		id, _ := strconv.ParseUint(session[:8], 16, 32)
		_, first := parseTip(from)
		_, end := parseTip(to)
		z := newZipf(id*1000+uint64(first), 60_000)
		for n := first; n < end; n++ {
			if !yield(s.event(z, int(id)*s.perSession+n, n), nil) {
				return
			}
		}
	}
}

// pool is text to cut events from: making it takes as long as indexing it.
var pool = newZipf(1, 60_000).text(2_000_000)

func (s *synthetic) event(z *zipf, n, turn int) events.Doc {
	size := 40 + z.r.IntN(300)
	kind := "agent message"
	switch z.r.IntN(10) {
	case 0:
		kind, size = "user message", 100
	case 1, 2, 3:
		kind, size = "tool call", 120
	case 4, 5, 6:
		kind = "tool result"
		if size = 300 + z.r.IntN(2000); z.r.IntN(20) == 0 {
			size = 10_000
		}
	}
	at := z.r.IntN(len(pool) - size)
	text := pool[at : at+size]
	s.bytes += int64(size)
	return event(n, text, func(d *events.Doc) {
		d.Turn, d.Kind, d.Agent, d.Client, d.Branch = turn, kind, "claude", "claude-code", "main"
		d.At = start.Add(time.Duration(n) * 20 * time.Second)
		if s.stored && kind != "tool result" {
			d.Stored = []byte(text)
		}
		if kind == "tool call" {
			d.Tool, d.Paths = "Edit", []string{fmt.Sprintf("internal/p%d/f%d.go", n%40, n%900)}
		}
	})
}

func folderSize(t testing.TB, dir string) (bytes int64) {
	must(t, filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	}))
	return bytes
}

// peakMemory samples, until stop is called, the memory of this process that is not mapped
// from files, and returns the most beyond what there was before.
func peakMemory() (stop func() (bytes int64)) {
	runtime.GC()
	debug.FreeOSMemory()
	before, most := anonymous(), int64(0)
	done, ended := make(chan bool), make(chan bool)
	go func() {
		defer close(ended)
		for {
			most = max(most, anonymous()-before)
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() int64 { close(done); <-ended; return most }
}

func anonymous() int64 {
	raw, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(raw), "RssAnon:")
	kb, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.ParseInt(kb, 10, 64)
	return n << 10
}

// processorTime is what this process has used so far, in all threads.
func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

var sizes = []int{10_000, 100_000, 1_000_000}

func eachSize(b *testing.B, run func(b *testing.B, n int)) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) { run(b, n) })
	}
}

func BenchmarkRebuild(b *testing.B) {
	eachSize(b, func(b *testing.B, n int) {
		src := newSynthetic(n)
		for b.Loop() {
			src.bytes = 0
			dir := filepath.Join(b.TempDir(), "index")
			began := time.Now()
			peak := peakMemory()
			_, err := events.New(dir, src, nil).CatchUp(b.Context())
			must(b, err)
			b.ReportMetric(float64(peak())/1e6, "peak-MB")
			b.ReportMetric(float64(src.bytes)/1e6/time.Since(began).Seconds(), "MB/s")
			b.ReportMetric(float64(src.bytes)/1e6, "text-MB")
			b.ReportMetric(float64(folderSize(b, dir))/1e6, "MB")
		}
	})
}

func index(b *testing.B, n int) (*events.Index, *synthetic) {
	b.Helper()
	src := newSynthetic(n)
	x := events.New(filepath.Join(b.TempDir(), "index"), src, nil)
	_, err := x.CatchUp(b.Context())
	must(b, err)
	return x, src
}

func reportTimes(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2])/1e6, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100])/1e6, "p95-ms")
	b.ReportMetric(float64(took[len(took)-1])/1e6, "max-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkSearch asks 2 to 8 words, with and without filters, then adds a turn again
// and again.
func BenchmarkSearch(b *testing.B) {
	eachSize(b, func(b *testing.B, n int) {
		x, src := index(b, n)
		for _, kind := range []string{"words", "filtered", "common", "newest", "exact"} {
			b.Run(kind, func(b *testing.B) {
				var took []time.Duration
				for b.Loop() {
					for i := range 200 {
						q := benchQuery(kind, i, n)
						began := time.Now()
						_, err := x.Search(b.Context(), q)
						took = append(took, time.Since(began))
						must(b, err)
					}
				}
				reportTimes(b, took)
			})
		}
		b.Run("catchup", func(b *testing.B) {
			var took []time.Duration
			count := src.perSession
			for b.Loop() {
				for range 60 {
					count += 5
					src.tips[sessionName(0)] = tip(0, count)
					began := time.Now()
					_, err := x.CatchUp(b.Context())
					took = append(took, time.Since(began))
					must(b, err)
				}
			}
			reportTimes(b, took)
		})
	})
}

// BenchmarkNear asks as BenchmarkSearch does, with a vector of 256 dimensions for each message
// and call: four in five events at most.
func BenchmarkNear(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			src := newSynthetic(n)
			src.stored = true
			dir := filepath.Join(b.TempDir(), "index")
			x := events.New(dir, src, &events.Options{
				Embedder: randomModel{256}, Kinds: []string{"agent message", "user message", "tool call"},
				Meaning: func(stored []byte) string { return string(stored) },
			})
			_, err := x.CatchUp(b.Context())
			must(b, err)
			before, began := folderSize(b, dir), time.Now()
			r, err := x.Embed(b.Context())
			must(b, err)
			made, took := folderSize(b, dir)-before, time.Since(began)
			for _, kind := range []string{"words", "words alone", "filtered", "filtered alone", "common", "common alone"} {
				b.Run(kind, func(b *testing.B) {
					var took []time.Duration
					kind, alone := strings.CutSuffix(kind, " alone")
					cpu := processorTime()
					defer func() { b.ReportMetric(float64(processorTime()-cpu)/1e6/float64(len(took)), "cpu-ms/op") }()
					for b.Loop() {
						for i := range 200 {
							q := benchQuery(kind, i, n)
							q.Near = !alone
							began := time.Now()
							a, err := x.Search(b.Context(), q)
							took = append(took, time.Since(began))
							must(b, err)
							if a.Compared == alone || a.Pending > 0 {
								b.Fatalf("%+v", a)
							}
						}
					}
					reportTimes(b, took)
				})
			}
			b.Run("embed", func(b *testing.B) {
				for b.Loop() { // it is measured above
				}
				b.ReportMetric(float64(r.Embedded), "vectors")
				b.ReportMetric(took.Seconds(), "s")
				b.ReportMetric(float64(made)/1e6, "MB")
				b.ReportMetric(0, "ns/op")
			})
			b.Run("embed one turn", func(b *testing.B) {
				var took []time.Duration
				count := src.perSession
				for b.Loop() {
					count += 5
					src.tips[sessionName(0)] = tip(0, count)
					began := time.Now()
					_, err := x.Embed(b.Context())
					took = append(took, time.Since(began))
					must(b, err)
				}
				reportTimes(b, took)
			})
		})
	}
}

// randomModel is as fast as a table of tokens: a text is a sum of a few directions.
type randomModel struct{ size int }

func (m randomModel) ID() string      { return "random" }
func (m randomModel) Dimensions() int { return m.size }
func (m randomModel) Instant() bool   { return true }

func (m randomModel) Embed(_ context.Context, texts []string) ([][]float32, error) {
	list := make([][]float32, len(texts))
	for i, text := range texts {
		sum := make([]float32, m.size)
		for _, word := range strings.Fields(text) {
			h := fnv.New64a()
			_, _ = h.Write([]byte(word))
			r := rand.New(rand.NewPCG(h.Sum64(), 1))
			for range 32 {
				sum[r.IntN(m.size)] += float32(r.NormFloat64())
			}
		}
		square := 1e-12
		for _, v := range sum {
			square += float64(v) * float64(v)
		}
		for d := range sum {
			sum[d] /= float32(math.Sqrt(square))
		}
		list[i] = sum
	}
	return list, nil
}

func benchQuery(kind string, i, n int) events.Query {
	z := newZipf(uint64(i), 60_000)
	var words []string
	for range 2 + i%7 {
		words = append(words, z.word())
	}
	q := events.Query{Text: strings.Join(words, " ")}
	switch kind {
	case "filtered":
		switch i % 4 {
		case 0:
			q.Kinds = []string{"agent message", "user message"}
		case 1:
			q.Since = start.Add(time.Duration(n) * 10 * time.Second)
		case 2:
			q.Path = fmt.Sprintf("internal/p%d", i%40)
		case 3:
			q.Sessions = []string{sessionName(i % (n / 1000))}
		}
	case "common":
		q.Text = spell(0) + " " + spell(1) + " " + spell(2) + " " + spell(3)
	case "newest":
		q.Newest = true
	case "exact":
		q.Exact = []string{z.word()}
	}
	return q
}
