package memory_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"engram/memory"
)

// largeRepository is a repository with its memory and n files of code, 1,000 in a
// folder, packed.
func largeRepository(b testing.TB, n int) bench {
	b.Helper()
	repo := newMemory(b)
	var stream strings.Builder
	stream.WriteString("commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 4\ncode\nfrom refs/heads/main^0\n")
	for i := range n {
		content := strings.Repeat(fmt.Sprintf("line of file %d, which says something\n", i), 40)
		fmt.Fprintf(&stream, "M 100644 inline %s\ndata %d\n%s\n", codePath(i), len(content), content)
	}
	importing := exec.Command("git", "fast-import", "--quiet", "--depth=10")
	importing.Dir, importing.Stdin = repo.dir, strings.NewReader(stream.String())
	if out, err := importing.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return repo
}

func codePath(i int) string { return fmt.Sprintf("src/part%03d/pkg/file%06d.go", i/1000, i) }

// BenchmarkDeref times dereferences in a repository of 100,000 files: in a memory that is
// open, and as whole processes.
func BenchmarkDeref(b *testing.B) {
	const n = 100_000
	repo := largeRepository(b, n)
	head := gitIn(b, repo.dir, "rev-parse", "main")
	at := func(i int) string { return codePath(i * 7919 % n) }
	built := sync.OnceValue(func() string { return builtEngram(b) })
	open := func(ref func(i int) string) func(i int) error {
		return func(i int) error {
			_, err := repo.Deref(b.Context(), memory.DerefInput{Ref: ref(i)})
			return err
		}
	}
	for _, c := range []struct {
		name string
		do   func(i int) error
	}{
		{"lines", open(func(i int) string { return "repo:" + at(i) + "#L3-L9@" + head })},
		{"short", open(func(i int) string { return at(i) + ":3-9" })},
		{"diff", open(func(i int) string { return "diff:" + head + "~1.." + head + "#" + at(i) })},
		{"process", func(i int) error { return runIn(repo.dir, built(), "deref", "repo:"+at(i)+"#L3-L9@"+head) }},
		{"process-version", func(int) error { return runIn(repo.dir, built(), "version") }},
		{"process-git", func(i int) error { return runIn(repo.dir, "git", "cat-file", "-p", head+":"+at(i)) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			if strings.HasPrefix(c.name, "process") {
				built()
			}
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				if err := c.do(i); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			reportPercentiles(b, took)
		})
	}
}

// builtEngram is the program, as it is released.
func builtEngram(b *testing.B) string {
	b.Helper()
	engram := filepath.Join(b.TempDir(), "engram")
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", engram, "engram/cmd/engram").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return engram
}

func runIn(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	return cmd.Run()
}
