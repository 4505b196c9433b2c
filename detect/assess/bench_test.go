package assess_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"engram/detect/assess"
	"engram/detect/claim"
	"engram/facts"
)

// BenchmarkProsePairs compares prose pairs: claims that were read before, as in an audit, and
// pairs that are read from scratch.
func BenchmarkProsePairs(b *testing.B) {
	raw, err := os.ReadFile("../../eval/testdata/prose/train.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	var pairs [][2]facts.Fact
	for line := range strings.Lines(string(raw)) {
		var p struct{ A, B, Scope string }
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			b.Fatal(err)
		}
		pairs = append(pairs, [2]facts.Fact{{Claim: p.A, Scope: p.Scope}, {Claim: p.B, Scope: p.Scope}})
	}
	b.Run("read", func(b *testing.B) {
		var list [][2]*claim.Claim
		for _, p := range pairs {
			list = append(list, [2]*claim.Claim{claim.Read(p[0]), claim.Read(p[1])})
		}
		for n := 0; b.Loop(); n++ {
			p := list[n%len(list)]
			assess.Assess(p[0], p[1])
		}
	})
	b.Run("from scratch", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			p := pairs[n%len(pairs)]
			assess.Assess(claim.Read(p[0]), claim.Read(p[1]))
		}
	})
}
