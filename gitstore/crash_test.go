//go:build unix

package gitstore_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestCrash kills a process that writes, and on every other run all its gits
// with it, at random moments. Nothing that it acknowledged may be missing, the
// repository stays sound, and the next writer is not held up. See full.
func TestCrash(t *testing.T) {
	crashes := 20
	if full {
		crashes = 100
	}
	dir := newRepo(t)
	store := open(t, dir)
	write(t, store, map[string]string{"engram.yml": "format: 1"})
	var acknowledged []string
	for i := range crashes {
		acknowledged = append(acknowledged, crash(t, dir, i)...)
		tip := write(t, store, map[string]string{"domain/next.yml": time.Now().String()}) // which would wait for a dead writer for ever
		// The update-ref of the dead writer ends by itself, with its lock.
		if exists(filepath.Join(dir, ".git/refs/heads/engram.lock")) {
			t.Errorf("run %d left a lock", i)
		}
		present := map[string]bool{}
		files, err := store.Files(t.Context(), tip, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			present[file.Path] = true
		}
		for _, path := range acknowledged {
			if !present[path] {
				t.Errorf("run %d: lost %s", i, path)
			}
		}
		if i%10 == 9 {
			fsck(t, dir)
		}
	}
	fsck(t, dir)
	contents(t, store, must(store.Tip(t.Context())))
	t.Logf("%d facts acknowledged in %d crashes", len(acknowledged), crashes)
	gitIn(t, dir, "gc", "-q", "--prune=now")
	noLitter(t, store)
}

// crash runs a writer in a process group of its own for a moment and returns
// what it acknowledged.
func crash(t *testing.T, dir string, run int) (acknowledged []string) {
	t.Helper()
	cmd := startRole(t, "writer", dir, "run"+string(rune('a'+run%26))+string(rune('a'+run/26)))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	mustDo(t, err)
	mustDo(t, cmd.Start())
	lines := make(chan []string)
	first := make(chan struct{})
	go func() { lines <- readLines(out, first) }()
	select { // the dice begin to roll once it writes
	case <-first:
	case <-time.After(time.Minute):
		t.Error("the writer never came to write")
	}
	time.Sleep(time.Duration(rand.Int64N(int64(150 * time.Millisecond))))
	victim := cmd.Process.Pid
	if run%2 == 1 {
		victim = -victim
	}
	mustDo(t, syscall.Kill(victim, syscall.SIGKILL))
	acknowledged = <-lines
	if err := cmd.Wait(); err == nil {
		t.Error("the writer ended by itself")
	} else if _, killed := err.(*exec.ExitError); !killed {
		t.Error(err)
	}
	return acknowledged
}

func readLines(r io.Reader, first chan<- struct{}) (lines []string) {
	scanner := bufio.NewScanner(r)
	for scanner.Scan() {
		if lines = append(lines, scanner.Text()); len(lines) == 1 {
			close(first)
		}
	}
	return lines
}

// TestKilledChildren: a store outlives the gits that it keeps.
func TestKilledChildren(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	for i := range 4 {
		tip := write(t, store, map[string]string{"x": fmt.Sprint(i)})
		for _, child := range gitChildren(t) {
			pid, _ := strconv.Atoi(strings.Fields(child)[0])
			mustDo(t, syscall.Kill(pid, syscall.SIGKILL))
		}
		next, err := apply(store, t, tip, map[string]string{"x": fmt.Sprint("again ", i)})
		if err != nil {
			t.Fatal(err)
		}
		if got := must(store.Tip(t.Context())); got != next {
			t.Errorf("tip %s, want %s", got, next)
		}
	}
	fsck(t, dir)
}
