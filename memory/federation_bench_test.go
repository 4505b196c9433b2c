package memory_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"engram/facts"
	"engram/fixtures"
	"engram/memory"
)

// BenchmarkQuerySources: a question to 10,000 facts of ours, with and without a
// source of 10,000 that are all meant for others.
func BenchmarkQuerySources(b *testing.B) {
	const n = 10_000
	for _, sources := range []int{0, 1} {
		b.Run(fmt.Sprintf("sources=%d", sources), func(b *testing.B) {
			m := filled(b, n)
			if sources > 0 {
				m.addSource("org", shared(b, n).dir)
			}
			questions := fixtures.Questions(200, 7)
			if r := m.query(memory.QueryInput{Question: questions[0]}); len(r.Sources) != sources { // builds the indexes
				b.Fatalf("%+v", r.Sources)
			}
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				m.query(memory.QueryInput{Question: questions[i%len(questions)]})
				took = append(took, time.Since(start))
			}
			reportPercentiles(b, took)
		})
	}
}

// shared is a memory of other facts than filled's, all for others.
func shared(b testing.TB, n int) bench {
	b.Helper()
	m := newMemory(b)
	m.clock.now = time.Now()
	var text strings.Builder
	for f := range fixtures.Facts(n, 2) {
		f.Reach = facts.ReachOrg
		text.WriteString("---\n")
		text.Write(facts.Marshal(f))
	}
	if r := m.imp(text.String(), memory.ImportInput{Format: memory.YAML}); r.Added != n {
		b.Fatalf("%+v", r)
	}
	return m
}

// BenchmarkSourceFetch: one changed fact of 10,000, over a path.
func BenchmarkSourceFetch(b *testing.B) {
	theirs := shared(b, 10_000)
	m := newMemory(b)
	m.addSource("org", theirs.dir)
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		theirs.commit(memory.CommitInput{Claim: fmt.Sprintf("Benchmark claim %d holds.", i), Scope: "bench", Reach: "org"})
		start := time.Now()
		if f := m.fetch(); f.Changed != 1 {
			b.Fatalf("%+v", f)
		}
		took = append(took, time.Since(start))
	}
	reportPercentiles(b, took)
}
