//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// fullDisk runs hooks where there is no room for what they capture: the client goes on, what was
// captured stays, and once there is room, the next hook takes up what is left.
func (c *captured) fullDisk(limited func(*exec.Cmd) *exec.Cmd, repair func()) {
	c.t.Helper()
	c.write(c.line(500) + c.line(500))
	c.run("tool")
	had := len(c.items())
	if had != 2 {
		c.t.Fatalf("%d of 2 lines were captured", had)
	}
	for _, event := range []string{"prompt", "tool", "subagent", "stop", "pre-compact", "session-start", "tool"} {
		c.write(c.line(60_000))
		began := time.Now()
		if out, err := limited(c.hook(event)).Output(); err != nil {
			c.t.Errorf("%s failed its client: %v\n%s", event, err, out)
		}
		if took := time.Since(began); took > 5*time.Second { // a starved machine is slow
			c.t.Errorf("%s took %s", event, took)
		}
		items := c.items()
		for i, item := range items {
			if i != item {
				c.t.Fatalf("after %s: item %d is at %d", event, item, i)
			}
		}
		if len(items) < had {
			c.t.Fatalf("after %s: of %d lines that were captured, %d are there", event, had, len(items))
		}
		had = len(items)
	}
	if had == c.lines {
		c.t.Fatal("there was room for everything")
	}
	repair()
	c.run("tool")
	if now := len(c.items()); now <= had {
		c.t.Errorf("with room again, the next hook captured nothing: %d lines", now)
	}
	c.finish()
}

// TestCaptureDiskFull: real hooks on a full file system.
func TestCaptureDiskFull(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	c := newCaptured(t)
	dir := filepath.Join(c.repo, ".git", "engram", "sessions")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=8m", "engram-test", dir).CombinedOutput(); err != nil {
		t.Skipf("needs the right to mount a file system: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 8<<20-160<<10), 0o644); err != nil {
		t.Fatal(err)
	}
	c.fullDisk(func(cmd *exec.Cmd) *exec.Cmd { return cmd }, func() {
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
	})
}

// TestCaptureFileSizeLimit stands in for a full disk where nothing can be mounted.
func TestCaptureFileSizeLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	newCaptured(t).fullDisk(func(cmd *exec.Cmd) *exec.Cmd {
		limited := exec.Command("sh", append([]string{"-c", `ulimit -f 200; exec "$@"`, "sh"}, cmd.Args...)...)
		limited.Stdin = cmd.Stdin
		return limited
	}, func() {})
}
