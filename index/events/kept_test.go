package events_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"engram/index/events"
)

// An index that is kept open sees what others do to its files: they add, forget and rebuild,
// also where the tips of the sessions stay the same.
func TestKeptOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	m := grown(steps)
	kept, other := events.New(dir, m, nil), events.New(dir, m, nil)
	expect := func(word string, total int) {
		t.Helper()
		a, err := kept.Search(ctx, events.Query{Exact: []string{word}})
		must(t, err)
		if a.Total != total || a.Behind {
			t.Errorf("%s: %+v", word, a)
		}
	}
	m.add("leak", event(500, "the password is hunterquux"))
	expect("hunterquux", 1)
	m.add("s1", event(501, "another wordxyz"))
	_, err := other.CatchUp(ctx)
	must(t, err)
	expect("wordxyz", 1)
	m.mu.Lock()
	m.sessions["leak"] = []events.Doc{event(500, "the password is [removed]")}
	m.mu.Unlock()
	_, err = other.Forget(ctx, "leak")
	must(t, err)
	expect("hunterquux", 0)
	expect("removed", 1)
	m.mu.Lock()
	m.sessions["leak"] = []events.Doc{event(500, "the password is wordabc")}
	m.mu.Unlock()
	must(t, other.Remove(ctx))
	_, err = other.CatchUp(ctx)
	must(t, err)
	expect("wordabc", 1)
	must(t, kept.Close())
	expect("wordabc", 1)
	must(t, kept.Close())
}

// Goroutines of one Index, which keeps it open, beside another that adds and forgets: what was
// forgotten before a search began is never found by it.
func TestKeptOpenBesideWriters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	m := grown(10)
	kept, other := events.New(dir, m, nil), events.New(dir, m, nil)
	var mu sync.RWMutex // a search is wholly before or after a change
	gone := 0
	var workers sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		workers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				mu.RLock()
				a, err := kept.Search(ctx, events.Query{Text: "secret"})
				for _, h := range a.Hits {
					if n, _ := strconv.Atoi(strings.TrimPrefix(h.Session, "f")); n < gone {
						t.Errorf("%s was forgotten", h.Session)
					}
				}
				mu.RUnlock()
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for n := range 12 {
		id := fmt.Sprintf("f%d", n)
		m.add(id, event(600+n, "a secret"))
		_, err := other.CatchUp(ctx)
		must(t, err)
		mu.Lock()
		m.remove(id)
		_, err = other.Forget(ctx, id)
		gone = n + 1
		mu.Unlock()
		must(t, err)
	}
	close(done)
	workers.Wait()
}
