package dashboard_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"engram/dashboard"
	"engram/memory"
)

// BenchmarkThousandConflicts measures the time to the first byte of the pages of a memory with 1,000
// open conflicts.
func BenchmarkThousandConflicts(b *testing.B) {
	m := many(b, "", 1)
	var lines strings.Builder
	for i := range 1000 {
		for side, port := range []int{7000, 8000} {
			fmt.Fprintf(&lines, `{"claim":"The svc%d daemon listens on port %d.","key":"domain/svc%d/port-%d","scope":"services/svc%d","agent_id":"agent-%d"}`+"\n", i, port+i, i, side, i, side)
		}
	}
	if _, err := m.Import(b.Context(), strings.NewReader(lines.String()), memory.ImportInput{Format: memory.JSONL}); err != nil {
		b.Fatal(err)
	}
	if _, err := m.Audit(b.Context(), memory.AuditInput{}); err != nil {
		b.Fatal(err)
	}
	list, err := m.Conflicts(b.Context(), memory.ConflictsInput{Limit: 1})
	if err != nil || len(list.Conflicts)+list.Omitted < 1000 {
		b.Fatalf("%d conflicts, %v", len(list.Conflicts)+list.Omitted, err)
	}
	measurePages(b, serveTokens(b, m), []string{"/conflicts", "/conflicts/" + list.Conflicts[0].ConflictID, "/facts/domain/svc7/port-0", "/facts", "/map", "/agents", "/bus", "/health"})
}

// BenchmarkViewers measures a commit while nobody looks and while 50 viewers wait for it, in turns.
func BenchmarkViewers(b *testing.B) {
	m := many(b, "", 1)
	url := serveTokens(b, m)
	n := 0
	commits := func() (times []time.Duration) {
		for range 20 {
			n++
			began := time.Now()
			if _, err := m.Commit(b.Context(), memory.CommitInput{Claim: fmt.Sprintf("Note %d is about nothing else.", n), Key: fmt.Sprintf("finding/notes/n%d", n)}); err != nil {
				b.Fatal(err)
			}
			times = append(times, time.Since(began))
		}
		return times
	}
	commits()
	var alone, seen []time.Duration
	var loaded atomic.Int64
	for b.Loop() {
		alone = append(alone, commits()...)
		ctx, leave := context.WithCancel(b.Context())
		var viewers sync.WaitGroup
		for range 50 {
			look(ctx, b, url, &loaded, &viewers)
		}
		seen = append(seen, commits()...)
		leave()
		viewers.Wait()
	}
	slices.Sort(alone)
	slices.Sort(seen)
	median := func(times []time.Duration) float64 { return float64(times[len(times)/2].Microseconds()) / 1000 }
	b.ReportMetric(median(alone), "alone-ms")
	b.ReportMetric(median(seen), "viewed-ms")
	b.ReportMetric(median(seen)/median(alone), "ratio")
	b.ReportMetric(float64(loaded.Load())/float64(len(seen)), "pages/commit")
	if loaded.Load() == 0 {
		b.Fatal("no viewer was told")
	}
}

// look is a viewer who waits for news, as a page does, until ctx is done, and loads the page again with each.
func look(ctx context.Context, b *testing.B, url string, loaded *atomic.Int64, viewers *sync.WaitGroup) {
	b.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+dashboard.Events(), nil)
	if err != nil {
		b.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer x")
	r, err := http.DefaultClient.Do(request)
	if err != nil || r.StatusCode != http.StatusOK {
		b.Fatal(r, err)
	}
	viewers.Go(func() {
		defer func() { _ = r.Body.Close() }()
		for lines := bufio.NewScanner(r.Body); lines.Scan(); {
			if !strings.HasPrefix(lines.Text(), "event: moved") {
				continue
			}
			again, err := http.NewRequestWithContext(ctx, http.MethodGet, url+dashboard.Root+"/facts", nil)
			if err != nil {
				return
			}
			again.Header.Set("Authorization", "Bearer x")
			if page, err := http.DefaultClient.Do(again); err == nil {
				_, _ = io.Copy(io.Discard, page.Body)
				_ = page.Body.Close()
				loaded.Add(1)
			}
		}
	})
}

// serveTokens serves the dashboard of a memory to everybody.
func serveTokens(b *testing.B, m *memory.Memory) (url string) {
	b.Helper()
	d, err := dashboard.New(dashboard.Options{
		Lend: func(context.Context) (*memory.Memory, string, func(error), error) { return m, "", func(error) {}, nil },
		Name: "shop", TokenOf: func(string) (string, bool, bool) { return "", true, true },
	})
	if err != nil {
		b.Fatal(err)
	}
	s := httptest.NewServer(d.Handler())
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { d.Follow(ctx); close(done) }()
	b.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
		cancel()
		<-done
	})
	return s.URL
}
