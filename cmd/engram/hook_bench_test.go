package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkAgentHook times whole processes of hooks of agents, on a branch with 20
// changed files: of 1,000 and 100,000 facts made by fixtures, and of the memory of
// the repository that ENGRAM_HOOK_REPO names, which is copied.
func BenchmarkAgentHook(b *testing.B) {
	dir := b.TempDir()
	engram := filepath.Join(dir, "engram")
	mustRun(b, "", nil, "go", "build", "-ldflags", "-s -w", "-o", engram, ".")
	sizes := map[string]func(repo string){}
	for _, n := range []int{1000, 100_000} {
		sizes[fmt.Sprint(n)] = func(repo string) {
			mustRun(b, "", nil, "git", "init", "-q", "-b", "main", repo)
			mustRun(b, repo, nil, "git", "commit", "-q", "--allow-empty", "-m", "first")
			mustRun(b, repo, nil, engram, "init")
			mustRun(b, repo, factsAsYAML(n, 1), engram, "import", "-", "--format", "yaml")
			mustRun(b, repo, nil, "git", "gc", "--quiet")
		}
	}
	if real := os.Getenv("ENGRAM_HOOK_REPO"); real != "" {
		sizes["real"] = func(repo string) { mustRun(b, "", nil, "cp", "-a", real, repo) }
	}
	for size, set := range sizes {
		repo := filepath.Join(dir, size)
		b.Run(size, func(b *testing.B) {
			if _, err := os.Stat(repo); err != nil {
				set(repo)
				work(b, repo)
				mustRun(b, repo, nil, engram, "query", "timeout")
			}
			index := filepath.Join(repo, ".git", "engram", "index")
			for _, c := range []struct {
				name   string
				event  string
				before func()
			}{
				{"engram-version", "", nil}, // what starting engram costs at that hour
				{"session-start", "session-start", nil},
				{"pre-compact", "pre-compact", nil},
				{"stop-with-nothing-to-do", "stop", nil}, // the first one is late, and the next ones rest
				{"a-new-fact", "session-start", func() { mustRun(b, repo, nil, engram, "commit", "Noted at "+time.Now().String()) }},
				{"no-index", "session-start", func() { mustRun(b, "", nil, "rm", "-rf", index) }},
			} {
				b.Run(c.name, func(b *testing.B) { timeAgentHook(b, engram, repo, c.event, c.before) })
			}
		})
	}
}

// work makes a branch with 20 files, of which half are committed.
func work(b *testing.B, repo string) {
	mustRun(b, repo, nil, "git", "checkout", "-q", "-b", "fix/gateway-timeout")
	for i := range 20 {
		name := filepath.Join(repo, "internal", "gateway", fmt.Sprintf("session_%d.go", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("package gateway\n"), 0o644); err != nil {
			b.Fatal(err)
		}
		if i == 9 {
			mustRun(b, repo, nil, "git", "add", ".")
			mustRun(b, repo, nil, "git", "commit", "-q", "-m", "work")
		}
	}
	mustRun(b, repo, nil, "git", "add", ".")
}

func timeAgentHook(b *testing.B, engram, repo, event string, before func()) {
	var took []time.Duration
	silent := 0
	for b.Loop() {
		if before != nil {
			before()
		}
		cmd := exec.Command(engram, "hook", event, "--client", "claude-code")
		if event == "" {
			cmd = exec.Command(engram, "version")
		}
		cmd.Stdin = strings.NewReader(`{"cwd":"` + repo + `","hook_event_name":"SessionStart","source":"startup"}`)
		var said bytes.Buffer
		cmd.Stdout = &said
		start := time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
		if said.Len() == 0 {
			silent++
		}
	}
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
	b.ReportMetric(ms(took[len(took)*95/100]), "p95-ms")
	b.ReportMetric(ms(took[len(took)-1]), "max-ms")
	b.ReportMetric(float64(silent), "silent")
}
