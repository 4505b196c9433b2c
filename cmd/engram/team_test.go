package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// teamFacts is how many facts each process of TestTeam writes. docs/performance.md
// has the figures of a run with 50.
var teamFacts = flag.Int("team.facts", 6, "facts that each of the eight processes of TestTeam writes")

const (
	teamClones    = 4
	teamProcesses = 8
)

// TestTeam: eight processes write into four clones that share one bare remote, and
// sync, while some of them are killed at random points. In the end every fact
// whose commit was acknowledged is in every clone.
func TestTeam(t *testing.T) {
	home := t.TempDir()
	self := engramIn(t, home)
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = Ada\n\temail = ada@example.com\n[gc]\n\tauto = 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	team := simulation{t: t, home: home, self: self, remote: filepath.Join(home, "remote.git"), acknowledged: map[string]string{}}
	team.begin()
	var group sync.WaitGroup
	for p := range teamProcesses {
		group.Go(func() { team.work(p) })
	}
	group.Wait()
	team.finish()
}

type simulation struct {
	t                  *testing.T
	home, self, remote string

	mu           sync.Mutex
	acknowledged map[string]string // ids of versions, by their claims
	kills, syncs int
}

func (w *simulation) clone(n int) string { return filepath.Join(w.home, fmt.Sprint("clone", n)) }

func (w *simulation) begin() {
	w.must(w.home, "git", "init", "-q", "-b", "main", w.clone(0))
	w.must(w.clone(0), "git", "commit", "-q", "--allow-empty", "-m", "code")
	w.must(w.clone(0), w.self, "init")
	w.must(w.home, "git", "init", "-q", "--bare", "-b", "main", w.remote)
	w.must(w.clone(0), "git", "remote", "add", "origin", w.remote)
	w.must(w.clone(0), "git", "push", "-q", "origin", "main", "engram")
	for n := 1; n < teamClones; n++ {
		w.must(w.home, "git", "clone", "-q", w.remote, w.clone(n))
		w.must(w.clone(n), w.self, "init")
	}
}

// work is one writer.
func (w *simulation) work(p int) {
	random := rand.New(rand.NewPCG(1, uint64(p)))
	dir := w.clone(p % teamClones)
	for n := range *teamFacts {
		key := fmt.Sprintf("domain/p%d/fact-%d", p, n)
		if n%5 == 4 { // one that another process writes as well
			key = fmt.Sprintf("domain/shared/fact-%d", n)
		}
		claim := fmt.Sprintf("Process %d found thing number %d.", p, n)
		if out, ok := w.run(random, dir, "commit", claim, "--key", key); ok {
			w.mu.Lock()
			w.acknowledged[claim] = strings.Split(out, "\t")[2]
			w.mu.Unlock()
		}
		if random.IntN(3) == 0 {
			w.run(random, dir, "sync")
			w.mu.Lock()
			w.syncs++
			w.mu.Unlock()
		}
	}
}

// run runs an engram, and kills one in four of them on the way. It reports
// what the command printed, and whether it succeeded.
func (w *simulation) run(random *rand.Rand, dir string, args ...string) (out string, ok bool) {
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	if random.IntN(4) == 0 {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(random.IntN(150))*time.Millisecond)
		defer cancel()
		defer func() {
			if ctx.Err() != nil {
				w.mu.Lock()
				w.kills++
				w.mu.Unlock()
			}
		}()
	}
	cmd := w.command(ctx, dir, w.self, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && ctx.Err() == nil && !(ok && exit.ExitCode() == 5) {
		w.t.Errorf("engram %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String(), err == nil
}

func (w *simulation) command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+w.home, "XDG_CONFIG_HOME="+w.home, "GIT_CONFIG_NOSYSTEM=1", "GORACE=atexit_sleep_ms=0")
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

func (w *simulation) must(dir, name string, args ...string) string {
	w.t.Helper()
	out, err := w.command(w.t.Context(), dir, name, args...).CombinedOutput()
	if err != nil {
		w.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// finish syncs everybody until nothing moves any more, and counts.
func (w *simulation) finish() {
	tip := ""
	for round := 0; ; round++ {
		for n := range teamClones {
			w.must(w.clone(n), w.self, "sync")
		}
		last := tip
		if tip = w.must(w.remote, "git", "rev-parse", "engram"); tip == last {
			break
		}
		if round == 4 {
			w.t.Fatalf("it does not come to an end:\n%s", w.must(w.remote, "git", "log", "--graph", "--format=%h %s%n%b", "-12", "--stat", "engram"))
		}
	}
	for n := range teamClones {
		if got := w.must(w.clone(n), "git", "rev-parse", "engram"); got != tip {
			w.t.Errorf("clone %d stands at %s, the remote at %s", n, got, tip)
		}
		all := w.must(w.clone(n), "git", "grep", "-h", "^claim: ", "engram", "--", ":!risk/conflict")
		for claim, id := range w.acknowledged {
			if !strings.Contains(all, claim) && !w.replaced(n, id) {
				w.t.Errorf("clone %d lacks %q", n, claim)
			}
		}
		w.must(w.clone(n), "git", "fsck", "--strict")
	}
	w.t.Logf("%d facts acknowledged, %d syncs on the way, %d processes killed", len(w.acknowledged), w.syncs, w.kills)
}

// replaced reports whether the history has a version that says that it replaces
// one: two processes of one clone write the shared keys one after the other.
func (w *simulation) replaced(n int, id string) bool {
	return w.must(w.clone(n), "git", "log", "--full-history", "--format=%h", "-S", "supersedes: "+id, "engram") != ""
}
