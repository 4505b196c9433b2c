package mcp_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"
)

var soakCalls = flag.Int("soak.calls", 120, "calls of TestSoak by each way of connecting; CONTRIBUTING.md has the long run")

// TestSoak makes many calls, of all kinds, from several clients at once, and looks
// at what the process holds before and after. What it holds may grow at first, by
// caches that are bounded, so as many calls as half of them are made before.
func TestSoak(t *testing.T) {
	for name, connect := range over {
		t.Run(name, func(t *testing.T) {
			server := newServer(t, newMemory(t), true)
			clients := []client{connect(t, server), connect(t, server)}
			round := func(calls int) {
				var all sync.WaitGroup
				for i, c := range clients {
					all.Go(func() { mixed(c, i, calls/len(clients)) })
				}
				all.Wait()
			}
			round(*soakCalls / 2)
			before := holds()
			start := time.Now()
			round(*soakCalls)
			took := time.Since(start)
			after := holds()
			// A look of the watch loop, with its gits, may be under way.
			for end := time.Now().Add(10 * time.Second); after.more(before) && time.Now().Before(end); after = holds() {
				time.Sleep(50 * time.Millisecond)
			}
			t.Logf("%d calls in %s; before %+v, after %+v", *soakCalls, took.Round(time.Millisecond), before, after)
			if after.more(before) {
				t.Error("it holds more than before")
			}
		})
	}
}

// mixed makes calls of all kinds, a sixth of which are refused. Facts are few: what
// is to be seen is what calls leave behind, not what a larger memory takes.
func mixed(c client, who, calls int) {
	for i := range calls {
		var tool string
		var args object
		switch i % 6 {
		case 0:
			tool, args = "engram_commit", object{"content": fmt.Sprintf("Worker %d of client %d listens on port %d.", i%12, who, 9000+i), "scope": "soak", "key": fmt.Sprintf("domain/soak/worker-%d-%d", who, i%12), "operation": "update"}
			if i < 12 {
				args["operation"] = "add"
			}
		case 1:
			tool, args = "engram_query", object{"topic": "On which port does a worker listen?"}
		case 2:
			tool, args = "engram_status", object{}
		case 3:
			tool, args = "engram_get", object{"key": fmt.Sprintf("domain/soak/worker-%d-%d", who, i%12), "history": 3}
		case 4:
			tool, args = "engram_conflicts", object{}
		case 5:
			tool, args = "engram_query", object{"topik": "nothing"}
		}
		_, _ = c.try(tool, args) // an update of what is not there yet is refused as well
	}
}

type held struct {
	goroutines, files int
	heap              uint64
}

// more allows for what a call under way takes, a git that was started meanwhile and
// a connection that is kept, and for a garbage collector's mood: what each call left
// behind would be a hundred times as much.
func (h held) more(before held) bool {
	return h.goroutines > before.goroutines+10 || h.files > before.files+10 || h.heap > before.heap+8<<20
}

func holds() held {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	files, _ := os.ReadDir("/proc/self/fd") // none elsewhere
	return held{runtime.NumGoroutine(), len(files), m.HeapAlloc}
}
