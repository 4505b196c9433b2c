package memory_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"engram/facts"
	"engram/fixtures"
	"engram/memory"
	"engram/model"
	"engram/model/modeltest"
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

// BenchmarkRecent: what is newest, the index opened for it.
func BenchmarkRecent(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) {
			m := filled(b, n)
			m.query(memory.QueryInput{Question: "x"}) // builds the index
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				if r, err := m.Recent(b.Context(), memory.RecentInput{}); err != nil || len(r.Results) == 0 {
					b.Fatal(r, err)
				}
				took = append(took, time.Since(start))
			}
			reportPercentiles(b, took)
		})
	}
}

// BenchmarkQueryHybrid: a question, with a table of 256 dimensions for every word.
func BenchmarkQueryHybrid(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) {
			lexical := filled(b, n)
			m := openWith(b, lexical.dir, wordTable(b, 256))
			m.clock.now = time.Now()
			questions := fixtures.Questions(200, 7)
			m.query(memory.QueryInput{Question: questions[0]}) // builds index and vectors
			var took, fresh []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				m.query(memory.QueryInput{Question: questions[i%len(questions)]})
				took = append(took, time.Since(start))
				if i%10 == 0 {
					m.commit(memory.CommitInput{Claim: fmt.Sprintf("The handler %s prepares %s.", pseudoWord(i), pseudoWord(i*31+7)), Scope: "bench"})
					start := time.Now()
					m.query(memory.QueryInput{Question: questions[i%len(questions)]})
					fresh = append(fresh, time.Since(start))
				}
			}
			reportPercentiles(b, took)
			slices.Sort(fresh)
			b.ReportMetric(float64(fresh[len(fresh)/2].Microseconds())/1000, "after-one-p50-ms")
			b.ReportMetric(float64(fresh[len(fresh)*95/100].Microseconds())/1000, "after-one-p95-ms")
		})
	}
}

// wordTable is a static table with a random vector for each word of the
// fixtures.
func wordTable(b *testing.B, dimensions int) memory.Embedder {
	b.Helper()
	vectors := map[string][]float32{}
	random := rand.New(rand.NewPCG(1, 2))
	for f := range fixtures.Facts(5000, 1) {
		for word := range strings.FieldsFuncSeq(strings.ToLower(f.Claim), func(r rune) bool { return !unicode.IsLetter(r) }) {
			if vectors[word] == nil {
				v := make([]float32, dimensions)
				for i := range v {
					v[i] = float32(random.NormFloat64())
				}
				vectors[word] = v
			}
		}
	}
	dir := b.TempDir()
	if err := modeltest.Static(dir, vectors); err != nil {
		b.Fatal(err)
	}
	m, err := model.OpenEmbedderFor(dir)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = m.Close() })
	return m
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
				m.commit(memory.CommitInput{Claim: fmt.Sprintf("The handler %s prepares %s.", pseudoWord(i), pseudoWord(i*31+7)), Scope: "bench"})
				took = append(took, time.Since(start))
			}
			reportPercentiles(b, took)
		})
	}
}

// pseudoWord is a word that no other number has, so that claims contradict nothing.
func pseudoWord(n int) string {
	syllables := []string{"ba", "ke", "mi", "no", "ru", "ta", "ve", "zo", "li", "du"}
	word := "x"
	for n += 1000; n > 0; n /= 10 {
		word += syllables[n%10]
	}
	return word
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

// BenchmarkSurvey: the first page with facets, again and again; then pages that nobody has
// asked for before, the index opened for each: at the beginning, in the middle, with a filter,
// of the past, and after a commit.
func BenchmarkSurvey(b *testing.B) {
	for _, n := range sizes[1:] {
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) {
			m := filled(b, n)
			m.query(memory.QueryInput{Question: "x"}) // builds the index
			start, cpu := time.Now(), processorTime()
			m.survey(memory.SurveyInput{})
			b.Logf("the first survey of a process: %v, %v of processor time", time.Since(start), processorTime()-cpu)
			for name, in := range map[string]func(i int) memory.SurveyInput{
				"first":  func(int) memory.SurveyInput { return memory.SurveyInput{} },
				"middle": func(i int) memory.SurveyInput { return memory.SurveyInput{Offset: n/2 + i%100} },
				"past":   func(i int) memory.SurveyInput { return memory.SurveyInput{AsOf: time.Now().AddDate(0, 0, -i%300)} },
				"facet":  func(i int) memory.SurveyInput { return memory.SurveyInput{Kind: "decision", Offset: i} },
				"new":    func(i int) memory.SurveyInput { return memory.SurveyInput{Offset: i} }, // an answer that is not kept
				"after-one": func(i int) memory.SurveyInput {
					m.commit(memory.CommitInput{Claim: fmt.Sprintf("The handler %s prepares %s.", pseudoWord(i), pseudoWord(i*31+7)), Scope: "bench"})
					return memory.SurveyInput{}
				},
			} {
				b.Run(name, func(b *testing.B) {
					var took []time.Duration
					var cpu time.Duration
					for i := 0; b.Loop(); i++ {
						in := in(i)
						start, before := time.Now(), processorTime()
						m.survey(in)
						took, cpu = append(took, time.Since(start)), cpu+processorTime()-before
					}
					reportPercentiles(b, took)
					b.ReportMetric(float64(cpu.Microseconds())/1000/float64(len(took)), "cpu-ms/op")
				})
			}
		})
	}
}

// processorTime is what this process has used so far, in all threads.
func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
