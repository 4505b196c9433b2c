package memory_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"engram/memory"
)

// BenchmarkRecallAtScale asks a store of ENGRAM_RECALL_EVENTS events (100,000) as agents do. The
// store is kept in ENGRAM_RECALL_REPO, if that is set, for the next run.
func BenchmarkRecallAtScale(b *testing.B) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("ENGRAM_RECALL_EVENTS"), "100000"))
	if err != nil {
		b.Fatal(err)
	}
	dir := os.Getenv("ENGRAM_RECALL_REPO")
	_, err = os.Stat(filepath.Join(dir, ".git", "engram"))
	kept := dir != "" && err == nil
	if dir == "" {
		dir = newRepo(b)
	} else if !kept {
		if err := os.CopyFS(dir, os.DirFS(newRepo(b))); err != nil {
			b.Fatal(err)
		}
	}
	s := sessionsIn(b, dir)
	if !kept {
		folder := b.TempDir()
		for id := range max(1, n/eventsPerSession) {
			file := filepath.Join(folder, "made.jsonl")
			if err := os.WriteFile(file, workTranscript(id), 0o600); err != nil {
				b.Fatal(err)
			}
			s.importFiles(file)
		}
	}
	s.recall(memory.RecallInput{Queries: []string{"warm"}}) // the index catches up
	for _, kind := range []string{"exact", "words", "both", "common", "session"} {
		b.Run(kind, func(b *testing.B) {
			var took []time.Duration
			cpu := usedTime(b)
			for b.Loop() {
				for i := range 40 {
					in := workQuery(kind, i, n)
					began := time.Now()
					r, err := s.Recall(b.Context(), in)
					took = append(took, time.Since(began))
					if err != nil || len(r.Items) == 0 {
						b.Fatal(in, r, err)
					}
				}
			}
			b.ReportMetric(float64(usedTime(b)-cpu)/1e6/float64(len(took)), "cpu-ms")
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2])/1e6, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100])/1e6, "p95-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// usedTime is the processor time of this process, and of those that it started and that ended.
func usedTime(b *testing.B) (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if err := syscall.Getrusage(who, &usage); err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	return sum
}

const eventsPerSession = 1000

// workTranscript is a session of eventsPerSession events as they are in real ones: few are long,
// and half of the text is in those. Some lines have a name, a hash or a path that stands nowhere else.
func workTranscript(id int) []byte {
	r := rand.New(rand.NewPCG(uint64(id), 7))
	zipf := rand.NewZipf(r, 1.2, 4, 60_000)
	words := func(n int) string {
		var b strings.Builder
		for b.Len() < n {
			fmt.Fprintf(&b, "%s%c", word(zipf.Uint64()), " \n"[min(1, r.IntN(12)/11)])
		}
		return b.String()
	}
	at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC).Add(time.Duration(id) * time.Hour)
	var out bytes.Buffer
	add := func(role string, content any) {
		at = at.Add(time.Second)
		line, _ := json.Marshal(map[string]any{
			"type": role, "uuid": fmt.Sprintf("%016x-%016x", r.Uint64(), r.Uint64()), "sessionId": workSession(id), "cwd": "/home/dev/app",
			"gitBranch": "main", "version": "2.1.12", "timestamp": at.Format(time.RFC3339Nano), "message": map[string]any{"role": role, "content": content},
		}) // strings and numbers cannot fail
		out.Write(append(line, '\n'))
	}
	for n := 0; n < eventsPerSession; {
		add("user", words(100))
		add("assistant", []any{map[string]any{"type": "text", "text": fmt.Sprintf("We keep %s for %s. %s", name(id, n), word(uint64(id)), words(40+r.IntN(300)))}})
		for range 3 {
			size := 300 + r.IntN(2000)
			if r.IntN(20) == 0 {
				size = 10_000
			}
			call := fmt.Sprintf("toolu_%d_%d", id, n)
			path := fmt.Sprintf("internal/p%d/f%d.go", n%40, n%900)
			add("assistant", []any{map[string]any{"type": "tool_use", "id": call, "name": "Bash", "input": map[string]any{"command": "go vet " + path + " " + words(60)}}})
			add("user", []any{map[string]any{"type": "tool_result", "tool_use_id": call, "content": words(size/2) + "\ncommit " + hash(id, n) + " of " + path + "\n" + words(size/2)}})
			n += 2
		}
		n += 2
	}
	return out.Bytes()
}

func workSession(id int) string { return fmt.Sprintf("%08x-1111-4222-8333-444444444444", id) }

// name and hash stand in one event each.
func name(id, n int) string { return fmt.Sprintf("limit_%s_%s", word(uint64(id)), word(uint64(n)+100)) }
func hash(id, n int) string {
	r := rand.New(rand.NewPCG(uint64(id), uint64(n)))
	return fmt.Sprintf("%016x%016x%08x", r.Uint64(), r.Uint64(), r.Uint32())
}

func workQuery(kind string, i, events int) (in memory.RecallInput) {
	r := rand.New(rand.NewPCG(uint64(i), 3))
	zipf := rand.NewZipf(r, 1.2, 4, 60_000)
	var words []string
	for range 3 + i%6 {
		words = append(words, word(zipf.Uint64()))
	}
	text, id, n := strings.Join(words, " "), r.IntN(max(1, events/eventsPerSession)), r.IntN(eventsPerSession/8)*8
	switch kind {
	case "exact":
		text = "which commit was " + hash(id, n)[:12]
	case "both":
		text = "what was said of " + name(id, n) + " in " + fmt.Sprintf("internal/p%d/f%d.go", n%40, n%900) + " and " + text
	case "common":
		text = strings.Join([]string{word(0), word(1), word(2), word(3), word(4)}, " ")
	case "session":
		in.Session = workSession(id)
		text = word(0) + " " + text
	}
	in.Queries = []string{text}
	return in
}
