package memory_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"engram/facts"
	"engram/fixtures"
	"engram/memory"
)

var sizes = []int{1_000, 10_000, 100_000}

// BenchmarkQuery: a question through the door, the index opened for it.
func BenchmarkQuery(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) {
			m := filled(b, n)
			questions := fixtures.Questions(200, 7)
			m.query(memory.QueryInput{Question: questions[0]}) // builds the index
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

// BenchmarkCommit: a claim through the door, durable, without its index
// update, which the next query makes.
func BenchmarkCommit(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) {
			m := filled(b, n)
			m.query(memory.QueryInput{Question: "anything"})
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				m.commit(memory.CommitInput{Claim: fmt.Sprintf("Benchmark claim %d holds.", i), Scope: "bench"})
				took = append(took, time.Since(start))
			}
			reportPercentiles(b, took)
		})
	}
}

// BenchmarkCatchUp: a question after others committed so many facts, that is
// git's list of changes, the index update and the search together.
func BenchmarkCatchUp(b *testing.B) {
	for _, n := range sizes {
		for _, fresh := range []int{1, 10} {
			b.Run(fmt.Sprintf("facts=%d/new=%d", n, fresh), func(b *testing.B) {
				m := filled(b, n)
				m.query(memory.QueryInput{Question: "anything"})
				var took []time.Duration
				for i := 0; b.Loop(); i++ {
					ins := make([]memory.CommitInput, fresh)
					for j := range ins {
						ins[j] = memory.CommitInput{Claim: fmt.Sprintf("Benchmark claim %d of %d holds.", i, j), Scope: "bench"}
					}
					if _, err := m.CommitAll(b.Context(), ins); err != nil {
						b.Fatal(err)
					}
					start := time.Now()
					m.query(memory.QueryInput{Question: fmt.Sprintf("claim %d", i)})
					took = append(took, time.Since(start))
				}
				reportPercentiles(b, took)
			})
		}
	}
}

// BenchmarkFirstQuery: the index is built from a packed branch first.
func BenchmarkFirstQuery(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				m := filled(b, n)
				gitIn(b, m.dir, "repack", "-adq")
				b.StartTimer()
				m.query(memory.QueryInput{Question: "timeout"})
			}
		})
	}
}

// BenchmarkImport: 10,000 facts in one commit.
func BenchmarkImport(b *testing.B) {
	text := yamlOf(10_000)
	for b.Loop() {
		m := newMemory(b)
		if r := m.imp(text, memory.ImportInput{Format: memory.YAML}); r.Added != 10_000 {
			b.Fatalf("%+v", r)
		}
	}
}

func filled(b *testing.B, n int) bench {
	b.Helper()
	m := newMemory(b)
	m.clock.now = time.Now()
	if r := m.imp(yamlOf(n), memory.ImportInput{Format: memory.YAML}); r.Added != n {
		b.Fatalf("%+v", r)
	}
	return m
}

func yamlOf(n int) string {
	var text bytes.Buffer
	for f := range fixtures.Facts(n, 1) {
		text.WriteString("---\n")
		text.Write(facts.Marshal(f))
	}
	return text.String()
}

func reportPercentiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}
