//go:build unix

package gitstore_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestRewriteCrash kills a process that rewrites a history, and on every other
// run all its gits with it, at random moments: the branch is at its old tip or
// at a sound new history, and the old one is kept by then.
func TestRewriteCrash(t *testing.T) {
	crashes, commits := 8, 400
	if full {
		crashes, commits = 100, 1500
	}
	dir := newRepo(t)
	longHistory(t, dir, commits, 100, 100)
	old := gitIn(t, dir, "rev-parse", "engram")
	whole := rewriteFor(t, dir, 0, false) // how long it takes undisturbed
	moved := 0
	for i := range crashes {
		gitIn(t, dir, "update-ref", "refs/heads/engram", old)
		took := time.Duration(rand.Int64N(int64(whole + whole/4)))
		if i%3 == 0 { // around the end, where the references move
			took = whole - whole/8 + time.Duration(rand.Int64N(int64(whole/4)))
		}
		rewriteFor(t, dir, took, i%2 == 1)
		waitForLock(t, dir)
		tip := gitIn(t, dir, "rev-parse", "engram")
		if tip == old {
			continue
		}
		moved++
		if n := leaks(t, dir, "engram"); n != 0 {
			t.Errorf("run %d: the branch moved with %d leaks in it", i, n)
		}
		if kept := gitIn(t, dir, "for-each-ref", "--points-at="+old, "refs/engram/rescue"); kept == "" {
			t.Errorf("run %d: the branch moved and nothing keeps the old tip", i)
		}
		if n := gitIn(t, dir, "rev-list", "--count", "engram"); n != fmt.Sprint(commits+1) {
			t.Errorf("run %d: %s commits", i, n)
		}
	}
	t.Logf("moved in %d of %d runs; undisturbed it takes %s", moved, crashes, whole)
	fsck(t, dir)
	gitIn(t, dir, "update-ref", "refs/heads/engram", old)
	if rewriteFor(t, dir, 0, false); leaks(t, dir, "engram") != 0 {
		t.Error("after the crashes it does not work any more")
	}
	gitIn(t, dir, "gc", "-q", "--prune=now")
	noLitter(t, open(t, dir))
}

// rewriteFor lets a process rewrite for so long (0: to its end), and returns how
// long that took.
func rewriteFor(t *testing.T, dir string, d time.Duration, group bool) time.Duration {
	t.Helper()
	cmd := startRole(t, "purger", dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	mustDo(t, err)
	mustDo(t, cmd.Start())
	lines := bufio.NewScanner(out)
	lines.Scan()
	start := time.Now()
	if d > 0 {
		time.Sleep(d)
		victim := cmd.Process.Pid
		if group {
			victim = -victim
		}
		_ = syscall.Kill(victim, syscall.SIGKILL) // it may have ended
	}
	for lines.Scan() {
	}
	if err := cmd.Wait(); err != nil && d == 0 {
		t.Fatal(err)
	}
	return time.Since(start)
}

// waitForLock waits until the git that moves references has ended.
func waitForLock(t *testing.T, dir string) {
	t.Helper()
	for range 100 {
		locks, _ := filepath.Glob(filepath.Join(dir, ".git/refs/heads/*.lock"))
		if len(locks) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("a lock was left")
}
