package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"engram/facts"
	"engram/fixtures"
)

// BenchmarkProcess times whole processes, from fork to exit, in a repository
// with 10,000 facts: engram's, and what git and grep take for about the same.
func BenchmarkProcess(b *testing.B) {
	const n = 10_000
	dir := b.TempDir()
	engram := filepath.Join(dir, "engram")
	mustRun(b, "", nil, "go", "build", "-ldflags", "-s -w", "-o", engram, ".")
	repo := filepath.Join(dir, "repo")
	mustRun(b, "", nil, "git", "init", "-q", "-b", "main", repo)
	mustRun(b, repo, nil, "git", "config", "user.name", "Ada")
	mustRun(b, repo, nil, "git", "config", "user.email", "ada@example.com")
	mustRun(b, repo, nil, "git", "commit", "-q", "--allow-empty", "-m", "first")
	mustRun(b, repo, nil, engram, "init")
	var text bytes.Buffer
	var key string
	for f := range fixtures.Facts(n, 1) {
		key = f.Key.String()
		text.WriteString("---\n")
		text.Write(facts.Marshal(f))
	}
	importing := time.Now()
	mustRun(b, repo, text.Bytes(), engram, "import", "-", "--format", "yaml")
	b.Logf("import of %d facts, secret scan included: %.1f s", n, time.Since(importing).Seconds())
	mustRun(b, repo, nil, engram, "query", "timeout of the gateway")
	i := 0
	for _, c := range []struct {
		name string
		args func() []string
	}{
		{"version", func() []string { return []string{engram, "version"} }},
		{"query", func() []string { return []string{engram, "query", "timeout of the gateway"} }},
		{"commit", func() []string {
			i++
			return []string{engram, "commit", fmt.Sprintf("Process %d holds.", i), "--scope", "bench"}
		}},
		{"get", func() []string { return []string{engram, "get", key} }},
		{"git-version", func() []string { return []string{"git", "version"} }},
		{"git-grep", func() []string { return []string{"git", "grep", "-ciE", "timeout|gateway", "engram"} }},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				args := c.args()
				cmd := exec.Command(args[0], args[1:]...)
				cmd.Dir = repo
				start := time.Now()
				if err := cmd.Run(); err != nil {
					b.Fatal(args, err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

func mustRun(b testing.TB, dir string, stdin []byte, name string, args ...string) {
	b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin, cmd.Env = dir, bytes.NewReader(stdin), os.Environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}
