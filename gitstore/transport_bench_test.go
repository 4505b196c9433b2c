package gitstore_test

import (
	"fmt"
	"os/exec"
	"slices"
	"testing"
	"time"

	"engram/gitstore"
)

// BenchmarkTransport fetches and pushes one fact through a bare remote beside
// a memory of 10,000, with engram and with git alone in turns.
func BenchmarkTransport(b *testing.B) {
	store := filledStore(b, 10_000, 100)
	dir := store.CommonDir()
	bare := bareRemote(b, dir)
	gitIn(b, dir, "remote", "add", "origin", bare)
	gitIn(b, dir, "push", "-q", "origin", "engram")
	bareStore := must(gitstore.Open(b.Context(), bare, nil))
	defer bareStore.Close()
	gitIn(b, bare, "config", "user.name", "Ada")
	gitIn(b, bare, "config", "user.email", "ada@example.com")
	plain := func(args ...string) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("git %v: %s", args, out)
		}
	}
	took := map[string][]time.Duration{}
	timed := func(name string, f func()) {
		start := time.Now()
		f()
		took[name] = append(took[name], time.Since(start))
	}
	n := 0
	oneMore := func(s *gitstore.Store) {
		n++
		path := fmt.Sprintf("domain/c%d/more-%d.yml", n%100, n)
		write(b, s, files{path: string(content(path))})
	}
	join := func() {
		if _, err := store.Merge(b.Context(), "origin/engram", greater{}, func(gitstore.MergeResult) gitstore.Meta { return gitstore.Meta{Message: "merge\n"} }); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		for _, who := range []string{"engram", "git"} {
			oneMore(bareStore)
			timed(who+"-fetch", func() {
				if who == "git" {
					plain("fetch", "-q", "origin", "engram")
				} else {
					_ = must(store.Fetch(b.Context(), "origin"))
				}
			})
			timed("merge", join)
			oneMore(store)
			timed(who+"-push", func() {
				if who == "git" {
					plain("push", "-q", "origin", "engram")
				} else if err := store.Push(b.Context(), "origin"); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
	for name, list := range took {
		slices.Sort(list)
		b.ReportMetric(float64(list[len(list)/2].Microseconds())/1000, name+"-p50-ms")
	}
}
