package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"engram/facts"
	"engram/fixtures"
)

// BenchmarkHook times whole processes of a hook: with nothing to do, and after a
// fetch of 100 facts into a memory that is audited, of 100,000 facts or as many as
// ENGRAM_HOOK_FACTS says; git and true stand beside it.
func BenchmarkHook(b *testing.B) {
	n := 100_000
	if text := os.Getenv("ENGRAM_HOOK_FACTS"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	dir := b.TempDir()
	engram, repo, sender := filepath.Join(dir, "engram"), filepath.Join(dir, "repo"), filepath.Join(dir, "sender")
	mustRun(b, "", nil, "go", "build", "-ldflags", "-s -w", "-o", engram, ".")
	mustRun(b, "", nil, "git", "init", "-q", "-b", "main", repo)
	mustRun(b, repo, nil, "git", "config", "user.name", "Ada")
	mustRun(b, repo, nil, "git", "config", "user.email", "ada@example.com")
	mustRun(b, repo, nil, "git", "commit", "-q", "--allow-empty", "-m", "first")
	mustRun(b, repo, nil, engram, "init")
	mustRun(b, repo, factsAsYAML(n, 1), engram, "import", "-", "--format", "yaml")
	mustRun(b, repo, nil, "git", "gc", "--quiet")
	mustRun(b, repo, nil, engram, "query", "timeout")
	// As if the first audit, which takes minutes, had found nothing.
	tip, err := exec.Command("git", "-C", repo, "rev-parse", "engram").Output()
	if err == nil {
		err = os.MkdirAll(filepath.Join(repo, ".git", "engram", "audit"), 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(repo, ".git", "engram", "audit", "engram.json"), fmt.Appendf(nil, `{"revision":%q}`, bytes.TrimSpace(tip)), 0o644)
	}
	if err != nil {
		b.Fatal(err)
	}
	mustRun(b, "", nil, "cp", "-a", repo, sender)
	mustRun(b, repo, nil, "git", "remote", "add", "origin", sender)
	mustRun(b, repo, nil, engram, "hooks", "run", "post-merge", "0")

	seed := uint64(1)
	arrive := func() {
		seed++
		mustRun(b, sender, nil, "git", "fetch", "-q", repo, "engram:engram") // what the last audit wrote
		mustRun(b, sender, factsAsYAML(100, seed), engram, "import", "-", "--format", "yaml")
		mustRun(b, repo, nil, "git", "fetch", "-q", "origin", "engram:refs/remotes/origin/engram")
	}
	for _, c := range []struct {
		name   string
		before func()
		args   []string
	}{
		{"true", nil, []string{"true"}},
		{"git-version", nil, []string{"git", "version"}},
		{"engram-version", nil, []string{engram, "version"}},
		{"nothing-to-do", nil, []string{engram, "hooks", "run", "post-merge", "0"}},
		{"pre-commit-nothing-staged", nil, []string{engram, "hooks", "run", "pre-commit"}},
		{"100-facts", arrive, []string{engram, "hooks", "run", "post-merge", "0"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				if c.before != nil {
					c.before()
				}
				cmd := exec.Command(c.args[0], c.args[1:]...)
				var said bytes.Buffer
				cmd.Dir, cmd.Stderr = repo, &said
				start := time.Now()
				if err := cmd.Run(); err != nil {
					b.Fatal(c.args, err)
				}
				took = append(took, time.Since(start))
				if (c.before != nil) != (said.Len() > 0) {
					b.Fatalf("it says %q", said.String())
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

func factsAsYAML(n int, seed uint64) []byte {
	var text bytes.Buffer
	for f := range fixtures.Facts(n, seed) {
		f.Key.Category = "s" + strconv.FormatUint(seed, 10) + "-" + f.Key.Category
		f.ID, f.Lineage = "", ""
		text.WriteString("---\n")
		text.Write(facts.Marshal(f))
	}
	return text.Bytes()
}
