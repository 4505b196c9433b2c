package gitstore_test

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"testing"
	"time"

	"engram/gitstore"
)

// sizes are the branches the benchmarks write to: facts, and facts a category.
var sizes = []struct{ facts, category int }{{1_000, 100}, {10_000, 100}, {100_000, 100}, {100_000, 1_000}, {100_000, 10_000}}

func BenchmarkCommitOne(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("facts=%d/category=%d", size.facts, size.category), func(b *testing.B) {
			store := filledStore(b, size.facts, size.category)
			tip := must(store.Tip(b.Context()))
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				path := fmt.Sprintf("domain/c%d/new-%d.yml", i%(size.facts/size.category), i)
				start := time.Now()
				next, err := store.Apply(b.Context(), tip, []gitstore.Write{{Path: path, Data: content(path)}}, gitstore.Meta{Message: "add " + path + "\n"})
				if err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
				tip = next
			}
			reportPercentiles(b, took)
		})
	}
}

// BenchmarkCommitOneGit makes the same commit with git's own plumbing and a
// private index, the way a script would.
func BenchmarkCommitOneGit(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("facts=%d/category=%d", size.facts, size.category), func(b *testing.B) {
			store := filledStore(b, size.facts, size.category)
			dir := store.CommonDir()
			index := "GIT_INDEX_FILE=" + dir + "/private-index"
			git := func(input []byte, args ...string) string {
				cmd := exec.Command("git", append([]string{"-c", "core.fsync=all"}, args...)...)
				cmd.Dir, cmd.Env, cmd.Stdin = dir, append(cmd.Environ(), index), bytes.NewReader(input)
				out, err := cmd.Output()
				if err != nil {
					b.Fatal(args, err)
				}
				return string(bytes.TrimSpace(out))
			}
			git(nil, "read-tree", "engram")
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				path := fmt.Sprintf("domain/c%d/new-%d.yml", i%(size.facts/size.category), i)
				start := time.Now()
				tip := git(nil, "rev-parse", "engram")
				blob := git(content(path), "hash-object", "-w", "--stdin")
				git(nil, "update-index", "--add", "--cacheinfo", "100644,"+blob+","+path)
				commit := git(nil, "commit-tree", git(nil, "write-tree"), "-p", tip, "-m", "add "+path)
				git(nil, "update-ref", "refs/heads/engram", commit, tip)
				took = append(took, time.Since(start))
			}
			reportPercentiles(b, took)
		})
	}
}

// BenchmarkCommitMany writes 100 facts a commit.
func BenchmarkCommitMany(b *testing.B) {
	for _, size := range sizes[:4] {
		b.Run(fmt.Sprintf("facts=%d/category=%d", size.facts, size.category), func(b *testing.B) {
			store := filledStore(b, size.facts, size.category)
			tip := must(store.Tip(b.Context()))
			const facts = 100
			for i := 0; b.Loop(); i++ {
				writes := make([]gitstore.Write, facts)
				for j := range writes {
					path := fmt.Sprintf("domain/c%d/many-%d-%d.yml", j%(size.facts/size.category), i, j)
					writes[j] = gitstore.Write{Path: path, Data: content(path)}
				}
				next, err := store.Apply(b.Context(), tip, writes, gitstore.Meta{Message: "import\n"})
				if err != nil {
					b.Fatal(err)
				}
				tip = next
			}
			b.ReportMetric(float64(facts*b.N)/b.Elapsed().Seconds(), "facts/s")
		})
	}
}

// BenchmarkImport writes 10,000 facts in one commit into an empty memory.
func BenchmarkImport(b *testing.B) {
	for b.Loop() {
		filledStore(b, 10_000, 100)
	}
}

func content(path string) []byte {
	return fmt.Appendf(nil, "key: %s\nclaim: %s\n", path, bytes.Repeat([]byte("the service retries three times; "), 18))
}

// filledStore is a repository whose branch holds so many files, packed.
func filledStore(b *testing.B, facts, category int) *gitstore.Store {
	b.Helper()
	store := must(gitstore.Open(b.Context(), newRepo(b), nil))
	b.Cleanup(func() { _ = store.Close() })
	writes := make([]gitstore.Write, facts)
	for i := range writes {
		path := fmt.Sprintf("domain/c%d/fact-%d.yml", i/category, i)
		writes[i] = gitstore.Write{Path: path, Data: content(path)}
	}
	if _, err := store.Apply(context.Background(), "", writes, gitstore.Meta{Message: "fill\n"}); err != nil {
		b.Fatal(err)
	}
	return store
}

func reportPercentiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}

// BenchmarkRewriteHistory takes a fact that came early, and changed often, out
// of a whole history; its category is made anew whenever a commit changes it.
func BenchmarkRewriteHistory(b *testing.B) {
	for _, size := range []struct{ commits, facts, category int }{{1_000, 1_000, 100}, {10_000, 1_000, 100}, {10_000, 1_000, 1_000}} {
		b.Run(fmt.Sprintf("commits=%d/facts=%d/category=%d", size.commits, size.facts, size.category), func(b *testing.B) {
			dir := newRepo(b)
			longHistory(b, dir, size.commits, size.facts, size.category)
			store := must(gitstore.Open(b.Context(), dir, nil))
			defer store.Close()
			old := must(store.Tip(b.Context()))
			for b.Loop() {
				done, err := store.RewriteHistory(b.Context(), always(dropEarly))
				if err != nil || done.Changed < size.commits/2 {
					b.Fatal(done.Changed, err)
				}
				b.StopTimer()
				gitIn(b, dir, "update-ref", "refs/heads/engram", old)
				b.StartTimer()
			}
			b.ReportMetric(float64(size.commits*b.N)/b.Elapsed().Seconds(), "commits/s")
		})
	}
}

var dropEarly = gitstore.Rewrite{Drop: []string{"domain/c0/fact-7.yml"}}

// BenchmarkPreviewRewrite finds out the same and writes nothing.
func BenchmarkPreviewRewrite(b *testing.B) {
	dir := newRepo(b)
	longHistory(b, dir, 10_000, 1_000, 100)
	store := must(gitstore.Open(b.Context(), dir, nil))
	defer store.Close()
	for b.Loop() {
		if _, err := store.PreviewRewrite(b.Context(), "engram", dropEarly); err != nil {
			b.Fatal(err)
		}
	}
}
