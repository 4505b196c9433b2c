package bus_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/bus"
)

// fullMessage is about as large as a message may be: twelve engrams and some 780 tokens.
func fullMessage(b testing.TB) []byte {
	confidence := 0.8
	m := bus.ChildMessage{Role: "programmer", TaskStatus: "done", Output: bus.Output{Summary: "Twelve findings about reservations."}}
	for i := range 12 {
		m.Engrams = append(m.Engrams, bus.Engram{Kind: "risk", Claim: fmt.Sprintf("Reservation %d is held until its vendor answers.", i), Confidence: &confidence,
			TTL: "P7D", Scope: "project", Pointers: []bus.Pointer{{Type: "repo", Ref: fmt.Sprintf("repo:gateway/client.py#L%d-L%d@0123abc", i+1, i+40)}}})
	}
	if v := bus.Check([]byte(m.YAML()), bus.Limits{}, bus.Allowance{}); !v.OK || v.Tokens < 700 {
		b.Fatalf("%+v", v)
	}
	return []byte(m.YAML())
}

// BenchmarkCheck is one verdict on a full message, on one that is refused for twice as
// much, and on code that was pasted.
func BenchmarkCheck(b *testing.B) {
	full := fullMessage(b)
	pasted := []byte(strings.Replace(string(full), "summary: ", "summary: |\n    "+strings.Repeat(strings.ReplaceAll(code, "\n", "\n    ")+"\n    ", 20), 1))
	twice := []byte(strings.Replace(string(full), "summary: ", "summary: "+strings.Repeat("It was looked at in turn. ", 120), 1))
	for _, c := range []struct {
		name string
		text []byte
	}{{"full", full}, {"twice", twice}, {"pasted", pasted}} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				bus.Check(c.text, bus.Limits{}, bus.Allowance{})
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
		})
	}
}
