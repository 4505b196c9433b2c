package memory_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"engram/fixtures"
	"engram/memory"
)

// BenchmarkQueryEngrams: engrams by hash keys, through the door, the index opened for
// it. The keys are runs of words of questions.
func BenchmarkQueryEngrams(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) {
			m := filled(b, n)
			m.query(memory.QueryInput{Question: "x"}) // builds the index
			var keys [][]string
			for _, q := range fixtures.Questions(200, 7) {
				words := strings.Fields(q)
				keys = append(keys, []string{strings.Join(words[:min(3, len(words))], " "), words[len(words)-1]})
			}
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				if _, err := m.QueryEngrams(b.Context(), memory.EngramQuery{Keys: keys[i%len(keys)]}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			reportPercentiles(b, took)
		})
	}
}

// BenchmarkFactsSince: a page of 100 of all facts, and there are shared ones.
func BenchmarkFactsSince(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) {
			m := filled(b, n)
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				if _, err := m.FactsSince(b.Context(), memory.SinceInput{}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			reportPercentiles(b, took)
		})
	}
}
