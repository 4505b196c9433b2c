package gitstore_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"engram/gitstore"
)

// full makes the tests that count what survives as large as the project
// promises: eight writers of 200 updates, a hundred crashes. It takes a minute
// or two: ENGRAM_TEST_FULL=1 go test ./gitstore -run 'TestWriters|TestCrash' -v
var full = os.Getenv("ENGRAM_TEST_FULL") != ""

// TestWriters runs eight processes that write at the same time, beside a git
// that packs and collects and a script that knows nothing of engram's lock,
// and counts: every commit that was reported is reachable, and every file that
// was acknowledged is there.
func TestWriters(t *testing.T) {
	updates := 12
	if full {
		updates = 200
	}
	for name, shared := range map[string]string{"own keys": "", "one key": "domain/shared/fact.yml"} {
		t.Run(name, func(t *testing.T) {
			dir := newRepo(t)
			store := open(t, dir)
			write(t, store, map[string]string{"engram.yml": "format: 1"})
			ctx, stop := context.WithCancel(t.Context())
			var beside sync.WaitGroup
			beside.Go(func() { keepPacking(ctx, dir) })
			var script []string
			beside.Go(func() { script = plainWriter(ctx, t, dir) })
			acknowledged := runUpdaters(t, dir, 8, updates, shared)
			stop()
			beside.Wait()
			if len(script) == 0 {
				t.Error("the plain git writer never came through")
			}
			t.Logf("%d updates of engram's, %d of a script's", len(acknowledged), len(script))
			checkReachable(t, dir, append(script, acknowledged...))
			for _, line := range acknowledged {
				_, path, _ := strings.Cut(line, " ")
				if _, err := store.Get(t.Context(), "engram", path); err != nil {
					t.Error(err)
				}
			}
			fsck(t, dir)
			noLitter(t, store)
		})
	}
}

// runUpdaters returns the lines that the processes printed.
func runUpdaters(t *testing.T, dir string, processes, updates int, shared string) []string {
	t.Helper()
	outs := make([]bytes.Buffer, processes)
	var wg sync.WaitGroup
	for i := range outs {
		args := []string{dir, fmt.Sprintf("p%d", i), fmt.Sprint(updates)}
		if shared != "" {
			args = append(args, shared)
		}
		cmd := startRole(t, "updater", args...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &outs[i], &stderr
		wg.Go(func() {
			if err := cmd.Run(); err != nil {
				t.Errorf("process %d: %v: %s", i, err, stderr.String())
			}
		})
	}
	wg.Wait()
	var lines []string
	for i := range outs {
		for line := range strings.Lines(outs[i].String()) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	if len(lines) != processes*updates {
		t.Errorf("%d updates were acknowledged, want %d", len(lines), processes*updates)
	}
	return lines
}

// keepPacking does what git's maintenance may do at any time.
func keepPacking(ctx context.Context, dir string) {
	for i := 0; ctx.Err() == nil; i++ {
		args := [][]string{{"pack-refs", "--all"}, {"gc", "-q"}, {"repack", "-adq"}}[i%3]
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // so that it takes its locks along
		_ = cmd.Run()
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// plainWriter commits with git's plumbing and compare-and-set alone, and
// returns the commits that got through.
func plainWriter(ctx context.Context, t *testing.T, dir string) (done []string) {
	git := func(args ...string) (string, bool) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) && args[0] != "update-ref" {
			t.Logf("git %s: %s", args[0], exit.Stderr)
		}
		return strings.TrimSpace(string(out)), err == nil
	}
	for i := 0; ctx.Err() == nil; i++ {
		tip, ok := git("rev-parse", "--verify", "refs/heads/engram")
		if !ok {
			t.Error("the branch is not to be read")
			return done
		}
		commit, ok := git("commit-tree", tip+"^{tree}", "-p", tip, "-m", fmt.Sprint("script ", i))
		// git itself does not always survive a gc that removes the folder it is
		// about to write to.
		if ok {
			if _, ok = git("update-ref", "refs/heads/engram", commit, tip); ok {
				done = append(done, commit)
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	return done
}

// checkReachable fails for each line whose commit the branch has lost.
func checkReachable(t *testing.T, dir string, lines []string) {
	t.Helper()
	reachable := map[string]bool{}
	scanner := bufio.NewScanner(strings.NewReader(gitIn(t, dir, "rev-list", "engram")))
	for scanner.Scan() {
		reachable[scanner.Text()] = true
	}
	seen := map[string]bool{}
	for _, line := range lines {
		commit, _, _ := strings.Cut(line, " ")
		if !reachable[commit] {
			t.Errorf("lost: %s", line)
		}
		if seen[commit] {
			t.Errorf("acknowledged twice: %s", line)
		}
		seen[commit] = true
	}
}

// TestGoesOnBesideLockHolder: a writer that waits for another gives up when
// its caller does.
func TestGoesOnBesideLockHolder(t *testing.T) {
	dir := newRepo(t)
	store, other := open(t, dir), open(t, dir)
	entered, leave := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := other.Update(t.Context(), func(string) ([]gitstore.Write, gitstore.Meta, error) {
			close(entered)
			<-leave
			return writes(map[string]string{"x": "1"}), gitstore.Meta{Message: "x\n"}, nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-entered
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := store.Update(ctx, func(string) ([]gitstore.Write, gitstore.Meta, error) {
		t.Error("two writers at once")
		return nil, gitstore.Meta{}, nil
	})
	if err == nil || ctx.Err() == nil {
		t.Errorf("got %v", err)
	}
	close(leave)
	wg.Wait()
	write(t, store, map[string]string{"y": "1"})
}
