//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// captured is a repository with a client whose session is captured by real processes.
type captured struct {
	t                        testing.TB
	engram, repo, transcript string
	lines                    int
}

const capturedSession = "5d6f3c1e-8a1b-4c55-9a53-0c2f4f1f6a11"

func newCaptured(t testing.TB) *captured {
	dir := t.TempDir()
	t.Cleanup(func() { // a hook that was killed has left a process that seals
		for deadline := time.Now().Add(30 * time.Second); os.RemoveAll(dir) != nil && time.Now().Before(deadline); {
			time.Sleep(100 * time.Millisecond)
		}
	})
	c := &captured{t: t, engram: filepath.Join(dir, "engram"), repo: filepath.Join(dir, "repo"), transcript: filepath.Join(dir, "client", capturedSession+".jsonl")}
	mustRun(t, "", nil, "go", "build", "-ldflags", "-s -w", "-o", c.engram, ".")
	mustRun(t, "", nil, "git", "init", "-q", "-b", "main", c.repo)
	mustRun(t, c.repo, nil, "git", "commit", "-q", "--allow-empty", "-m", "first")
	mustRun(t, c.repo, nil, c.engram, "init")
	if err := os.Mkdir(filepath.Dir(c.transcript), 0o755); err != nil {
		t.Fatal(err)
	}
	return c
}

// line returns the next line of the transcript as Claude Code writes it: every seventh has
// no id and is equal to others.
func (c *captured) line(size int) string {
	n := c.lines
	c.lines++
	if n%7 == 6 {
		return fmt.Sprintf(`{"type":"queue-operation","operation":"enqueue","sessionId":%q}`, capturedSession) + "\n"
	}
	kind, content := "user", fmt.Sprintf("%q", fmt.Sprintf("message %d ", n)+strings.Repeat("word ", size/5))
	if n%2 == 1 {
		kind, content = "assistant", `[{"type":"text","text":`+content+`}]`
	}
	return fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"cwd":%q,"sessionId":%q,"version":"2.1.197","gitBranch":"main","type":%q,"message":{"role":%q,"content":%s},"uuid":"00000000-0000-4000-8000-%012d","timestamp":%q}`,
		c.repo, capturedSession, kind, kind, content, n, time.Date(2026, 11, 22, 12, 0, 0, n*1e6, time.UTC).Format("2006-01-02T15:04:05.000Z")) + "\n"
}

func (c *captured) write(text string) {
	f, err := os.OpenFile(c.transcript, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err != nil || f.Close() != nil {
		c.t.Fatal(err)
	}
}

func (c *captured) hook(event string) *exec.Cmd {
	cmd := exec.Command(c.engram, "hook", event, "--client", "claude-code")
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":%q,"hook_event_name":%q}`, capturedSession, c.transcript, c.repo, event))
	return cmd
}

// run runs a hook, which must succeed and say nothing.
func (c *captured) run(event string) {
	c.t.Helper()
	if out, err := c.hook(event).CombinedOutput(); err != nil || len(out) > 0 && event != "session-start" && event != "pre-compact" {
		c.t.Fatalf("%s: %v\n%s", event, err, out)
	}
}

// journal is what is not sealed.
func (c *captured) journal() []byte {
	logs, err := filepath.Glob(filepath.Join(c.repo, ".git", "engram", "sessions", "live", "*", capturedSession, "log"))
	if err != nil || len(logs) == 0 {
		return nil
	}
	data, err := os.ReadFile(logs[0])
	if err != nil {
		c.t.Fatal(err)
	}
	return data
}

// items returns the items of the transcript that the session has, in its order.
func (c *captured) items() (items []int) {
	c.t.Helper()
	ref := strings.TrimSpace(c.git("for-each-ref", "--format=%(refname)", "refs/engram/sessions"))
	text := ""
	if ref != "" {
		for name := range strings.Lines(c.git("ls-tree", "-r", "--name-only", ref)) {
			if name = strings.TrimSpace(name); strings.HasSuffix(name, "events.jsonl") {
				text += c.git("cat-file", "blob", ref+":"+name)
			}
		}
	}
	seen := map[string]bool{}
	for line := range strings.Lines(text + string(c.journal())) {
		var e struct {
			ID     string `json:"id"`
			Source *struct {
				Item int `json:"item"`
			} `json:"source"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			c.t.Fatalf("%v: %.200s", err, line)
		}
		if seen[e.ID] {
			c.t.Errorf("event %s is there twice: %.200s", e.ID, line)
		}
		seen[e.ID] = true
		if e.Source != nil {
			items = append(items, e.Source.Item)
		}
	}
	return items
}

func (c *captured) git(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", c.repo}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		c.t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

// finish ends the session until everything is sealed, and checks that all is there once.
func (c *captured) finish() {
	c.t.Helper()
	for range 60 {
		if c.run("end"); len(c.journal()) == 0 && len(c.items()) >= c.lines {
			break
		}
	}
	if left := c.journal(); len(left) > 0 {
		c.t.Errorf("%d bytes are not sealed", len(left))
	}
	items := c.items()
	for i, item := range items {
		if i != item {
			c.t.Fatalf("item %d is at %d", item, i)
		}
	}
	if len(items) != c.lines {
		c.t.Errorf("%d of %d lines are there", len(items), c.lines)
	}
	fsck := exec.Command("git", "-C", c.repo, "fsck", "--no-dangling", "--strict")
	if out, err := fsck.CombinedOutput(); err != nil || bytes.Contains(out, []byte("error")) {
		c.t.Errorf("fsck: %v\n%s", err, out)
	}
}

// TestCaptureKilled: whatever is killed when, all that the client wrote is in the session
// once, in order.
func TestCaptureKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts hundreds of processes")
	}
	c := newCaptured(t)
	random := rand.New(rand.NewPCG(1, 2))
	events := []string{"prompt", "tool", "tool", "subagent", "stop", "pre-compact", "session-start", "end"}
	kills := 0
	for kills < 100 {
		for range 1 + random.IntN(4) {
			line := c.line(200 + random.IntN(3000))
			cut := random.IntN(len(line))
			c.write(line[:cut]) // a hook may come in the middle of a line
			if random.IntN(3) == 0 {
				c.run("tool")
			}
			c.write(line[cut:])
		}
		var both sync.WaitGroup
		for range 1 + random.IntN(2) { // two at once, now and then
			cmd, after := c.hook(events[random.IntN(len(events))]), time.Duration(random.IntN(120))*time.Millisecond
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			kills++
			both.Go(func() {
				time.Sleep(after)
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			})
		}
		both.Wait()
	}
	c.finish()
}

// TestCaptureCatchesUp: the first hook comes in the middle of a long session. It takes a
// bounded time, and the next ones read the rest.
func TestCaptureCatchesUp(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes a long transcript")
	}
	c := newCaptured(t)
	var text strings.Builder
	for text.Len() < 20<<20 {
		text.WriteString(c.line(3000))
	}
	c.write(text.String())
	began := time.Now()
	c.run("tool")
	if took := time.Since(began); took > 2*time.Second { // a starved machine is slow
		t.Errorf("the first hook took %s", took)
	}
	if n := len(c.items()); n == 0 || n >= c.lines {
		t.Logf("the first hook read %d of %d lines", n, c.lines)
	}
	c.finish()
}

// TestCaptureStopSeals: after a turn a process of its own seals the journal.
func TestCaptureStopSeals(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	c := newCaptured(t)
	c.write(c.line(100))
	c.run("stop")
	for begin := time.Now(); len(c.journal()) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatal("the journal is still there")
		}
	}
	if got := c.items(); len(got) != 1 {
		t.Errorf("the session has items %v", got)
	}
}

// TestCaptureOddFiles: what is no transcript costs nothing and hangs nobody.
func TestCaptureOddFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	c := newCaptured(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	real := c.transcript
	for _, file := range []string{pipe, "/dev/zero", "/dev/null", filepath.Dir(pipe), pipe + "/no", "relative", ""} {
		c.transcript = file
		for _, event := range []string{"prompt", "subagent", "stop", "end"} {
			c.run(event)
		}
	}
	// Through a link, and after the client rewrote the file.
	c.transcript = filepath.Join(filepath.Dir(pipe), "link.jsonl")
	if err := os.Symlink(real, c.transcript); err != nil {
		t.Fatal(err)
	}
	first := c.line(100) + c.line(100)
	c.write(first)
	c.run("stop")
	if err := os.WriteFile(real+".new", []byte(first+c.line(100)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(real+".new", real); err != nil {
		t.Fatal(err)
	}
	c.run("tool")
	c.finish()
}

// TestCaptureCommit: a commit becomes an event of the session at work, without secrets. One
// on the memory branch does not, nor one after the session has ended.
func TestCaptureCommit(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	c := newCaptured(t)
	mustRun(t, c.repo, nil, c.engram, "hooks", "install")
	c.write(c.line(100))
	c.run("prompt")
	c.git("commit", "-q", "--allow-empty", "-m", "Add AKIAIOSFODNN7EXAMQLE to the set")
	hash := strings.TrimSpace(c.git("rev-parse", "HEAD"))
	got := string(c.journal())
	if !strings.Contains(got, `"commits":["`+hash+`"]`) || !strings.Contains(got, `"tags":["commit"]`) || !strings.Contains(got, "on main") {
		t.Errorf("the commit is not in the session: %s", got)
	}
	if strings.Contains(got, "AKIAIOSFODNN7EXAMQLE") {
		t.Errorf("a secret is in the session: %s", got)
	}
	c.finish()
	c.git("commit", "-q", "--allow-empty", "-m", "Later")
	if got := c.journal(); len(got) > 0 {
		t.Errorf("a session that has ended got a commit: %s", got)
	}
}
