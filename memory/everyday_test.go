package memory_test

import (
	"fmt"
	"testing"

	"engram/fixtures"
	"engram/memory"
)

// TestEverydayCommits: in a fresh memory, the answer of the second commit of each everyday
// pair names the first claim.
func TestEverydayCommits(t *testing.T) {
	b := newMemory(t)
	for i, p := range fixtures.EverydayPairs() {
		scope := fmt.Sprintf("app%d", i)
		b.commit(memory.CommitInput{Key: fmt.Sprintf("domain/first/f%d", i), Claim: p.A, Scope: scope, Agent: "ann"})
		r := b.commit(memory.CommitInput{Key: fmt.Sprintf("domain/second/s%d", i), Claim: p.B, Scope: scope, Agent: "ben"})
		named := false
		for _, m := range append(r.Contradicts, r.Likely...) {
			named = named || m.Claim == p.A
		}
		if !named {
			t.Errorf("%s: %+v", p.About, r)
		}
	}
}
