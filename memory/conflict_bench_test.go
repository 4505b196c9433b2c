package memory_test

import (
	"fmt"
	"testing"
	"time"

	"engram/memory"
)

// BenchmarkAudit: a merge of 100 facts into many, of which every tenth clashes
// with one that was there. engram-eval audit measures with real facts.
func BenchmarkAudit(b *testing.B) {
	for _, size := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			m := filled(b, size)
			before := m.tip()
			var ins []memory.CommitInput
			for i := range 100 {
				claim := fmt.Sprintf("The worker of queue %d is restarted every night.", i)
				if i%10 == 0 {
					ins = append(ins, memory.CommitInput{Key: fmt.Sprintf("domain/queue/old%d", i), Claim: fmt.Sprintf("Queue%d listens on port %d.", i, 7000+i), Scope: "queues"})
					claim = fmt.Sprintf("Queue%d listens on port %d.", i, 8000+i)
				}
				ins = append(ins, memory.CommitInput{Key: fmt.Sprintf("domain/queue/f%d", i), Claim: claim, Scope: "queues", Agent: "bench"})
			}
			if _, err := m.CommitAll(b.Context(), ins); err != nil {
				b.Fatal(err)
			}
			m.query(memory.QueryInput{Question: "warm"})
			var took time.Duration
			facts := 0
			for b.Loop() {
				r, err := m.Audit(b.Context(), memory.AuditInput{From: before})
				if err != nil {
					b.Fatal(err)
				}
				took += time.Duration(r.Took * float64(time.Second))
				facts += r.Facts
			}
			b.ReportMetric(took.Seconds()*1000/float64(facts), "ms/fact")
		})
	}
}

// BenchmarkQueryWithConflicts: a question to a memory with a thousand open
// conflicts, beside one with none.
func BenchmarkQueryWithConflicts(b *testing.B) {
	for _, conflicts := range []int{0, 1000} {
		b.Run(fmt.Sprint(conflicts), func(b *testing.B) {
			m := filled(b, 1000)
			var ins []memory.CommitInput
			for i := range conflicts {
				for side := range 2 {
					ins = append(ins, memory.CommitInput{
						Key: fmt.Sprintf("domain/queue/q%d-%d", i, side), Agent: fmt.Sprint("agent", i%10), Scope: "queues",
						Claim: fmt.Sprintf("Queue%d listens on port %d.", i, 7000+1000*side+i),
					})
				}
			}
			if conflicts > 0 {
				if _, err := m.CommitAll(b.Context(), ins); err != nil {
					b.Fatal(err)
				}
			}
			if r := m.audit(memory.AuditInput{All: conflicts > 0, From: m.tip()}); len(r.Opened) < conflicts*9/10 {
				b.Fatalf("%d conflicts", len(r.Opened))
			}
			m.query(memory.QueryInput{Question: "warm"}) // the index takes the conflicts up
			for b.Loop() {
				if _, err := m.Query(b.Context(), memory.QueryInput{Question: "which port does queue7 listen on"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
