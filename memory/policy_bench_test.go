package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"engram/memory"
)

// BenchmarkCommitUnderPolicy is what each agreement costs a commit.
func BenchmarkCommitUnderPolicy(b *testing.B) {
	for _, c := range []struct{ name, agent, policy string }{
		{"person", "", "rate_limit: 50"},
		{"no limit", "claude", "rate_limit: 0"},
		{"rate", "claude", "rate_limit: 1000000"},
		{"permissions", "claude", "rate_limit: 0\n" + "permissions: [{scope: payments, write: false}, {agent: ci, scope: payments}]"},
		{"signed", "claude", "rate_limit: 0\nsigned_commits: true"},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := newMemory(b)
			if strings.Contains(c.policy, "signed") {
				m.signs()
			}
			m.agree(c.policy)
			n := 0
			for b.Loop() {
				n++
				m.commit(memory.CommitInput{Claim: fmt.Sprintf("Number %d is a number.", n), Key: fmt.Sprintf("domain/c%d/n%d", n%50, n), Agent: c.agent})
				m.clock.add(100)
			}
		})
	}
}

// BenchmarkCheckViolations is Violations over facts that keep to a policy.
func BenchmarkCheckViolations(b *testing.B) {
	const facts = 10_000
	for _, c := range []struct{ name, policy string }{
		{"nothing agreed", "rate_limit: 0"},
		{"rate", "rate_limit: 50"},
		{"permissions", "rate_limit: 0\npermissions: [{scope: payments, write: false}]"},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := newMemory(b)
			m.agree(c.policy)
			var lines strings.Builder
			for i := range facts {
				fmt.Fprintf(&lines, `{"claim":"Number %d is a number.","key":"domain/c%d/n%d","agent_id":"a%d"}`+"\n", i, i%100, i, i%7)
			}
			if _, err := m.Import(b.Context(), strings.NewReader(lines.String()), memory.ImportInput{Format: memory.JSONL}); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if list, err := m.Violations(b.Context(), "", ""); err != nil || len(list) > 0 {
					b.Fatal(list, err)
				}
			}
		})
	}
}

// BenchmarkQueryWithheld is a question by an agent that may not read everything.
func BenchmarkQueryWithheld(b *testing.B) {
	m := newMemory(b)
	m.agree("permissions: [{agent: guest, scope: s1, read: false}]")
	var lines strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&lines, `{"claim":"The gateway of team %d listens on port %d.","key":"domain/c%d/n%d","scope":"s%d"}`+"\n", i, i, i%100, i, i%5)
	}
	if _, err := m.Import(b.Context(), strings.NewReader(lines.String()), memory.ImportInput{Format: memory.JSONL}); err != nil {
		b.Fatal(err)
	}
	if _, err := m.Query(b.Context(), memory.QueryInput{Question: "gateway"}); err != nil { // builds the index
		b.Fatal(err)
	}
	for _, agent := range []string{"claude", "guest"} {
		b.Run(agent, func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Query(b.Context(), memory.QueryInput{Question: "gateway port 4711", AskedBy: agent}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
