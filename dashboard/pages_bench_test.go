package dashboard_test

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"engram/dashboard"
	"engram/memory"
	"engram/secret"
)

// BenchmarkPages measures the time to the first byte of each page, as a browser sees it, over a
// memory of ENGRAM_DASHBOARD_FACTS facts (100,000 by default, which takes minutes to make; name a
// folder in ENGRAM_DASHBOARD_REPO to make it once).
func BenchmarkPages(b *testing.B) {
	n, _ := strconv.Atoi(os.Getenv("ENGRAM_DASHBOARD_FACTS"))
	if n == 0 {
		n = 100_000
	}
	m := many(b, os.Getenv("ENGRAM_DASHBOARD_REPO"), n)
	measurePages(b, serveTokens(b, m), []string{
		"/facts", "/facts?q=table+orders+42", "/facts?scope=services%2Fs3", "/facts?from=50000", "/facts/architecture/s7/table-7",
		"/timeline", "/agents", "/map", "/conflicts", "/sessions", "/bus", "/expiring", "/health",
	})
}

// measurePages measures the time to the first byte of pages, and what they weigh packed.
func measurePages(b *testing.B, url string, paths []string) {
	for _, path := range paths {
		b.Run(strings.TrimPrefix(path, "/"), func(b *testing.B) {
			var times []time.Duration
			size := 0
			get := func() {
				request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, url+dashboard.Root+path, nil)
				if err != nil {
					b.Fatal(err)
				}
				request.Header.Set("Authorization", "Bearer x")
				request.Header.Set("Accept-Encoding", "gzip")
				began := time.Now()
				r, err := http.DefaultClient.Do(request)
				if err != nil || r.StatusCode != http.StatusOK {
					b.Fatal(r, err)
				}
				times = append(times, time.Since(began))
				size = int(r.ContentLength)
				_ = r.Body.Close()
			}
			get()
			times = nil
			for b.Loop() {
				get()
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
			b.ReportMetric(float64(size)/1000, "kB")
		})
	}
}

// many is a memory of n facts; one that is there already is used again.
func many(b *testing.B, dir string, n int) *memory.Memory {
	b.Helper()
	if dir == "" {
		dir = b.TempDir()
	}
	if _, err := os.Stat(dir + "/.git"); err != nil {
		repository(b, dir)
	}
	m, err := memory.Open(b.Context(), dir, secret.New(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = m.Close() })
	if status, err := m.Status(b.Context(), memory.StatusInput{}); err != nil || status.Files >= n {
		return m
	}
	if _, err := m.Init(b.Context()); err != nil {
		b.Fatal(err)
	}
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, `{"claim":"Service number %d owns the table orders_%d.","key":"architecture/s%d/table-%d","scope":"services/s%d","agent_id":"agent-%d"}`+"\n", i, i, i%97, i, i%97, i%11)
	}
	if _, err := m.Import(b.Context(), strings.NewReader(lines.String()), memory.ImportInput{Format: memory.JSONL}); err != nil {
		b.Fatal(err)
	}
	return m
}
