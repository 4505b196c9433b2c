package memory_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"engram/memory"
)

// BenchmarkSettle is what a hook waits for after a pull: 100 facts that somebody
// else wrote, taken into a memory of 100,000 as a fast-forward and as a merge, and
// audited.
func BenchmarkSettle(b *testing.B) {
	for _, kind := range []string{"fast-forward", "merge"} {
		b.Run(kind, func(b *testing.B) {
			ours, theirs := pairOf(b, 100_000)
			var took []time.Duration
			for round := range 5 {
				for i := range 100 {
					commitMany(b, theirs, fmt.Sprintf("r%d-%d", round, i), 1)
				}
				theirs.git("push", "-q", "origin", "engram")
				if kind == "merge" {
					commitMany(b, ours, fmt.Sprint("ours", round), 1)
				}
				ours.git("fetch", "-q", "origin")
				start := time.Now()
				r, err := ours.Settle(b.Context(), memory.SettleInput{})
				took = append(took, time.Since(start))
				if err != nil || r.Arrived < 100 || r.Audited < 100 {
					b.Fatalf("%+v, %v", r, err)
				}
				ours.sync()
				theirs.sync()
			}
			reportMedian(b, "settle-ms", took)
		})
	}
}

// BenchmarkMergeOfMany joins two branches of 1,000 facts each in a memory of
// 100,000, a tenth of them written on both sides; without the audit.
func BenchmarkMergeOfMany(b *testing.B) {
	ours, theirs := pairOf(b, 100_000)
	var took []time.Duration
	for round := range 5 {
		commitMany(b, theirs, fmt.Sprint("theirs", round), 900)
		commitMany(b, theirs, fmt.Sprint("both", round), 100)
		theirs.git("push", "-q", "origin", "engram")
		commitMany(b, ours, fmt.Sprint("ours", round), 900)
		commitMany(b, ours, fmt.Sprint("both", round), 100)
		ours.git("fetch", "-q", "origin")
		start := time.Now()
		r, err := memory.TakeIn(b.Context(), ours.Memory)
		took = append(took, time.Since(start))
		if err != nil || r.Arrived < 1000 || len(r.Rivals) != 100 {
			b.Fatalf("%+v, %v", r, err)
		}
		ours.git("push", "-q", "origin", "engram")
		theirs.sync()
	}
	reportMedian(b, "merge-ms", took)
}

// BenchmarkSync is a sync that brings one fact and sends one, beside the git
// commands that move as much: fetch and push, of a local bare remote.
func BenchmarkSync(b *testing.B) {
	for _, size := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			ours, theirs := pairOf(b, size)
			ours.sync()
			var synced, bare []time.Duration
			for round := range 9 {
				commitMany(b, theirs, fmt.Sprint("a", round), 1)
				theirs.sync()
				commitMany(b, ours, fmt.Sprint("b", round), 1)
				start := time.Now()
				r := ours.sync()
				synced = append(synced, time.Since(start))
				if r.Arrived != 1 || r.Pushed < 2 {
					b.Fatalf("%+v", r)
				}
				theirs.sync()

				commitMany(b, theirs, fmt.Sprint("c", round), 1)
				theirs.sync()
				ours.git("branch", "-f", "side", "engram")
				start = time.Now()
				ours.git("fetch", "-q", "origin", "engram")
				ours.git("push", "-q", "origin", "engram:refs/heads/side"+fmt.Sprint(round))
				bare = append(bare, time.Since(start))
				ours.sync()
			}
			reportMedian(b, "sync-ms", synced)
			reportMedian(b, "git-ms", bare)
		})
	}
}

// pairOf is a memory of n facts, and a clone of it, both audited.
func pairOf(b *testing.B, n int) (ours, theirs bench) {
	b.Helper()
	ours = filled(b, n)
	remote := filepath.Join(b.TempDir(), "remote.git")
	ours.git("init", "-q", "--bare", "-b", "main", remote)
	ours.git("remote", "add", "origin", remote)
	ours.git("push", "-q", "origin", "main", "engram")
	ours.git("gc", "-q")
	dir := filepath.Join(b.TempDir(), "theirs")
	ours.git("clone", "-q", remote, dir)
	configure(b, dir)
	theirs = openMemory(b, dir)
	theirs.clock.now = time.Now()
	if _, err := theirs.Init(b.Context()); err != nil {
		b.Fatal(err)
	}
	for _, m := range []bench{ours, theirs} {
		if err := memory.Audited(m.Memory, m.tip()); err != nil {
			b.Fatal(err)
		}
		m.query(memory.QueryInput{Question: "anything"})
	}
	return ours, theirs
}

// commitMany writes n facts under one word in one commit.
func commitMany(b *testing.B, m bench, word string, n int) {
	b.Helper()
	ins := make([]memory.CommitInput, n)
	for i := range ins {
		ins[i] = memory.CommitInput{
			Claim: fmt.Sprintf("The %s of service %d in %s is kept for %d days.", word, i, filepath.Base(m.dir), i),
			Key:   fmt.Sprintf("domain/%s/fact-%d", word, i), Scope: fmt.Sprintf("area%d", i%20),
		}
	}
	if _, err := m.CommitAll(b.Context(), ins); err != nil {
		b.Fatal(err)
	}
}

func reportMedian(b *testing.B, unit string, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, unit)
	b.ReportMetric(0, "ns/op")
}
