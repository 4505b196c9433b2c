package gitstore_test

import (
	"fmt"
	"testing"
	"time"

	"engram/gitstore"
)

// BenchmarkMerge merges two sides of 1,000 changed files each over a base of
// 100,000, a tenth of them contested or none, half of the others new.
func BenchmarkMerge(b *testing.B) {
	const facts, category, changes = 100_000, 1_000, 1_000
	store := filledStore(b, facts, category)
	dir := store.CommonDir()
	base := must(store.Tip(b.Context()))
	side := func(who string, from int) string {
		edits := make([]gitstore.Write, changes)
		for i := range edits {
			n := (from + i*97) % facts
			path := fmt.Sprintf("domain/c%d/fact-%d.yml", n/category, n)
			if i%2 == 0 {
				path = fmt.Sprintf("domain/c%d/%s-%d.yml", n/category, who, i)
			}
			edits[i] = gitstore.Write{Path: path, Data: content(path + who)}
		}
		gitIn(b, dir, "update-ref", "refs/heads/engram", base)
		return must(store.Apply(b.Context(), base, edits, gitstore.Meta{Message: who + "\n"}))
	}
	ours := side("ours", 0)
	for name, from := range map[string]int{"contested=0": 1, "contested=500": 0} {
		theirs := side("theirs", from)
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				gitIn(b, dir, "update-ref", "refs/heads/engram", ours)
				fresh := must(gitstore.Open(b.Context(), dir, nil))
				start := time.Now()
				if _, err := fresh.Merge(b.Context(), theirs, greater{}, func(gitstore.MergeResult) gitstore.Meta { return gitstore.Meta{Message: "merge\n"} }); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
				_ = fresh.Close()
			}
			reportPercentiles(b, took)
		})
	}
}
