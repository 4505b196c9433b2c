package memory_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"engram/memory"
)

// The code that evidence is held against: 2,500 files of 60 to 200 lines.
const codeFiles = 2500

func evidentPath(i int) string { return fmt.Sprintf("pkg/p%02d/file%04d.go", i%50, i) }

// codeOf is the content of a file: lines that differ from each other and from others'.
func codeOf(i int) []string {
	random := rand.New(rand.NewPCG(uint64(i), 1))
	lines := []string{"package p"}
	for n := range 60 + random.IntN(140) {
		lines = append(lines, fmt.Sprintf("\tvalue%dOf%d := compute(%d, %q)", n, i, random.IntN(1000), strings.Repeat("x", random.IntN(20))))
		if random.IntN(10) == 0 {
			lines = append(lines, "}", "")
		}
	}
	return lines
}

// evident is a repository with code and n facts, of which each rests on ten lines of it
// or, where rests is false, on nothing.
func evident(b *testing.B, n int, rests bool) *code {
	b.Helper()
	c := &code{bench: newMemory(b)}
	c.clock.now = time.Now()
	for i := range codeFiles {
		c.file(evidentPath(i), strings.Join(codeOf(i), "\n")+"\n")
	}
	c.save("code")
	var ins []memory.CommitInput
	for i := range n {
		first := 2 + (i/codeFiles*13)%45
		in := memory.CommitInput{
			Claim: fmt.Sprintf("Benchmark claim %d rests on code of package p%02d.", i, i%50), Key: fmt.Sprintf("domain/p%02d/fact-%05d", i%50, i), Scope: "bench",
		}
		if rests {
			in.Pointers = []memory.Pointer{{Ref: fmt.Sprintf("repo:%s#L%d-L%d", evidentPath(i%codeFiles), first, first+9)}}
		}
		ins = append(ins, in)
	}
	if _, err := c.CommitAll(b.Context(), ins); err != nil {
		b.Fatal(err)
	}
	return c
}

// changed is evident, of which the code was changed since: of a third of the files lines
// above and some inside, a tenth renamed, a twentieth deleted.
func changed(b *testing.B, n int) *code {
	b.Helper()
	c := evident(b, n, true)
	for i := range codeFiles {
		lines := codeOf(i)
		switch {
		case i%3 == 0:
			at := 5 + i%30
			lines = append([]string{"// New above.", "// More above."}, append(append([]string{}, lines[:at]...), append([]string{"\tinserted()"}, lines[at:]...)...)...)
		case i%10 == 1:
			if err := os.Rename(filepath.Join(c.dir, evidentPath(i)), filepath.Join(c.dir, fmt.Sprintf("pkg/renamed%04d.go", i))); err != nil {
				b.Fatal(err)
			}
			continue
		case i%20 == 2:
			if err := os.Remove(filepath.Join(c.dir, evidentPath(i))); err != nil {
				b.Fatal(err)
			}
			continue
		}
		c.file(evidentPath(i), strings.Join(lines, "\n")+"\n")
	}
	c.save("changed")
	return c
}

// BenchmarkVerify: the evidence of 10,000 facts held against a changed HEAD, as
// committed and as the work tree has it.
func BenchmarkVerify(b *testing.B) {
	c := changed(b, 10_000)
	for _, at := range []string{"HEAD", ""} {
		b.Run("at="+at, func(b *testing.B) {
			var took []time.Duration
			var r memory.VerifyResult
			for b.Loop() {
				m := openMemory(b, c.dir)
				m.clock.now = time.Now()
				start := time.Now()
				var err error
				if r, err = m.Verify(b.Context(), memory.VerifyInput{At: at}); err != nil || r.Pointers != 10_000 {
					b.Fatal(r.Pointers, err)
				}
				took = append(took, time.Since(start))
			}
			reportPercentiles(b, took)
			for freshness, n := range r.Counts {
				b.ReportMetric(float64(n), string(freshness))
			}
		})
	}
}

// BenchmarkVerifyProcess: the same, and a question, as whole processes, where all
// evidence is fresh.
func BenchmarkVerifyProcess(b *testing.B) {
	engram := builtEngram(b)
	for _, c := range []struct {
		name string
		*code
		calls map[string][]string
	}{
		{"none", evident(b, 10_000, false), map[string][]string{"query": {"query", "claim 370 of package p20"}}},
		{"fresh", evident(b, 10_000, true), map[string][]string{
			"query": {"query", "claim 370 of package p20"}, "verify": {"verify"}, "verify-head": {"verify", "--at", "HEAD"},
		}},
	} {
		for name, args := range c.calls {
			b.Run("evidence="+c.name+"/"+name, func(b *testing.B) {
				if err := runIn(c.dir, engram, args...); err != nil { // builds the index
					b.Fatal(err)
				}
				var took []time.Duration
				for b.Loop() {
					start := time.Now()
					if err := runIn(c.dir, engram, args...); err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(start))
				}
				reportPercentiles(b, took)
			})
		}
	}
}

// BenchmarkQueryFreshness: a question of ten hits that all rest on something that is as
// it was, or that changed since, beside the same without evidence.
func BenchmarkQueryFreshness(b *testing.B) {
	for _, c := range []struct {
		name string
		*code
	}{{"none", evident(b, 10_000, false)}, {"fresh", evident(b, 10_000, true)}, {"changed", changed(b, 10_000)}} {
		b.Run("evidence="+c.name, func(b *testing.B) {
			c.query(memory.QueryInput{Question: "benchmark"})
			var took []time.Duration
			late := 0
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				r := c.query(memory.QueryInput{Question: fmt.Sprintf("claim %d of package p%02d", i*37%10_000, i%50)})
				took = append(took, time.Since(start))
				if len(r.Results) != 10 {
					b.Fatal(len(r.Results))
				}
				for _, note := range r.Notes {
					if strings.Contains(note, "not checked in time") {
						late++
					}
				}
			}
			reportPercentiles(b, took)
			b.ReportMetric(float64(late)/float64(len(took)), "late/op")
		})
	}
}
