package memory_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"engram/memory"
)

// runCommitter is a process that commits so many facts as an agent, and prints
// how many were taken. Its clock stands still.
func runCommitter(args []string) error {
	dir, agent, name := args[0], args[1], args[2]
	n, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	ctx := context.Background()
	now := func() time.Time { return time.Date(2026, 4, 30, 13, 0, 0, 0, time.UTC) }
	m, err := memory.Open(ctx, dir, markerScanner{}, &memory.Options{Now: now})
	if err != nil {
		return err
	}
	defer m.Close()
	taken := 0
	for i := range n {
		_, err := m.Commit(ctx, memory.CommitInput{Claim: fmt.Sprintf("Process %s says word%c.", name, 'a'+i), Agent: agent, Scope: name})
		var limited *memory.RateError
		switch {
		case err == nil:
			taken++
		case !errors.As(err, &limited):
			return err
		}
	}
	fmt.Println(taken)
	return nil
}

// TestRateOfProcesses: of many processes that commit as one agent at once,
// exactly as many commits succeed as the limit says.
func TestRateOfProcesses(t *testing.T) {
	b := newMemory(t)
	const limit, processes, each = 10, 4, 6
	b.agree(fmt.Sprintf("rate_limit: %d", limit))
	before, _ := strconv.Atoi(gitIn(t, b.dir, "rev-list", "--count", "engram"))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	taken := make([]int, processes)
	for p := range processes {
		wg.Go(func() {
			cmd := exec.Command(self, b.dir, "claude", fmt.Sprintf("p%d", p), strconv.Itoa(each))
			cmd.Env = append(os.Environ(), roleVariable+"=committer")
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err == nil {
				taken[p], err = strconv.Atoi(strings.TrimSpace(string(out)))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, n := range taken {
		sum += n
	}
	after, _ := strconv.Atoi(gitIn(t, b.dir, "rev-list", "--count", "engram"))
	if sum != limit || after-before != limit {
		t.Errorf("%v were taken, %d are on the branch; the limit is %d", taken, after-before, limit)
	}
}

func TestRate(t *testing.T) {
	b := newMemory(t)
	ctx := t.Context()
	b.agree("rate_limit: 3")
	start := b.clock.Now()
	n := 0
	commit := func(agent string) error {
		n++
		_, err := b.Commit(ctx, memory.CommitInput{Claim: fmt.Sprintf("The word is word%c%c.", 'a'+n/26, 'a'+n%26), Agent: agent})
		return err
	}
	expect := func(agent string, limited bool) {
		t.Helper()
		err := commit(agent)
		var rate *memory.RateError
		if errors.As(err, &rate) != limited || !limited && err != nil {
			t.Fatalf("%s: got %v", agent, err)
		}
		if !limited {
			return
		}
		if rate.Agent != agent || rate.Limit != 3 || rate.Until.Sub(start) < time.Hour || rate.Until.Sub(start) > time.Hour+5*time.Minute {
			t.Errorf("%+v", rate)
		}
		if code, hint := classified(err); code != memory.CodeRefused || !strings.Contains(hint, rate.Until.Format(time.RFC3339)) {
			t.Errorf("code %s, hint %q", code, hint)
		}
	}
	// One commit, however many facts it has; a duplicate is none; a failure neither.
	if _, err := b.CommitAll(ctx, []memory.CommitInput{{Claim: "One thing is so.", Agent: "claude"}, {Claim: "Another thing too.", Agent: "claude"}}); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if r := b.commit(memory.CommitInput{Claim: "One thing is so.", Agent: "claude"}); !r.Duplicate {
			t.Errorf("%+v", r)
		}
		if _, err := b.Retire(ctx, "domain/no/such", "", "claude"); !errors.Is(err, memory.ErrNotFound) {
			t.Error(err)
		}
	}
	expect("claude", false)
	expect("claude", false)
	expect("claude", true)
	// Everything that an agent writes counts.
	if _, err := b.Retire(ctx, "domain/general/one-thing", "", "claude"); err == nil {
		t.Error("a retirement does not count")
	}
	// Other agents and people have their own.
	for range 5 {
		expect("", false)
	}
	expect("codex", false)
	// An import counts once, for who imports.
	lines := `{"claim":"It rains.","agent_id":"x1"}` + "\n" + `{"claim":"It snows.","agent_id":"x1"}` + "\n"
	if _, err := b.Import(ctx, strings.NewReader(lines), memory.ImportInput{Format: memory.JSONL, Agent: "codex"}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		expect("x1", false)
	}
	expect("codex", false)
	expect("codex", true)
	// The hour slides.
	b.clock.add(50 * time.Minute)
	expect("claude", true)
	b.clock.add(12 * time.Minute)
	expect("claude", false)
	// No limit is none.
	b.agree("rate_limit: 0")
	for range 6 {
		expect("claude", false)
	}
	// A ledger that cannot be read is begun anew.
	b.agree("rate_limit: 1")
	if err := os.WriteFile(filepath.Join(b.dir, ".git", "engram", "rate", "engram.json"), []byte("{broken"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := commit("claude"); err != nil {
		t.Error(err)
	}
}

// TestRateAfterFailure: a commit that git did not take counts for nothing.
func TestRateAfterFailure(t *testing.T) {
	b := newMemory(t)
	b.agree("rate_limit: 2")
	tree := filepath.Join(t.TempDir(), "tree")
	gitIn(t, b.dir, "worktree", "add", "-q", tree, "engram")
	for range 3 {
		if _, err := b.Commit(t.Context(), memory.CommitInput{Claim: "It rains.", Agent: "claude"}); err == nil {
			t.Fatal("written while it is checked out")
		}
	}
	gitIn(t, b.dir, "worktree", "remove", "--force", tree)
	b.commit(memory.CommitInput{Claim: "It rains.", Agent: "claude"})
	b.commit(memory.CommitInput{Claim: "It snows.", Agent: "claude"})
	if _, err := b.Commit(t.Context(), memory.CommitInput{Claim: "It hails.", Agent: "claude"}); err == nil {
		t.Error("above the limit")
	}
}
