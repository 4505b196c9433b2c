package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// flooded is a process that a client has sent many calls at once over stdio.
type flooded struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// flood sends n calls to a new `engram mcp` and waits for no answer. Every 40th call writes.
func flood(t *testing.T, repo string, n int) *flooded {
	t.Helper()
	f := &flooded{cmd: exec.Command("engram", "mcp")}
	f.cmd.Dir = repo
	var err error
	if f.in, err = f.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := f.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.cmd.Process.Kill(); _ = f.cmd.Wait() })
	f.lines = bufio.NewScanner(out)
	f.lines.Buffer(nil, 1<<20)
	fmt.Fprintln(f.in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"flood","version":"1"}}}`)
	if !f.lines.Scan() {
		t.Fatal("it does not answer")
	}
	go func() {
		fmt.Fprintln(f.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		for i := 1; i <= n; i++ {
			call := fmt.Sprintf(`{"name":"engram_query","arguments":{"topic":"which rack has shard %d"}}`, i)
			if i%40 == 0 {
				call = fmt.Sprintf(`{"name":"engram_commit","arguments":{"content":"Shard %d is on rack %d of the hall.","scope":"racks","provenance":"seen"}}`, i, i*7)
			}
			if _, err := fmt.Fprintf(f.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`+"\n", i, call); err != nil {
				return
			}
		}
	}()
	return f
}

// status reads a number of /proc/PID/status, or returns 0 on systems without that file.
func (f *flooded) status(field string) int {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", f.cmd.Process.Pid))
	_, rest, _ := strings.Cut(string(data), field+":")
	if words := strings.Fields(rest); len(words) > 0 {
		n, _ := strconv.Atoi(words[0])
		return n
	}
	return 0
}

// TestFloodOverStdio: 1,500 calls that a client does not wait for take turns, so that they take few
// threads and little memory, and none is refused.
func TestFloodOverStdio(t *testing.T) {
	const calls = 1500
	repo := testRepo(t)
	if r := runHere("", "--repo", repo, "init"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	f := flood(t, repo, calls)
	threads := 0
	for answered := 0; answered < calls; answered++ {
		if !f.lines.Scan() {
			t.Fatalf("it ended after %d answers: %v", answered, f.lines.Err())
		}
		var answer struct {
			ID     int
			Error  json.RawMessage
			Result struct{ IsError bool }
		}
		if err := json.Unmarshal(f.lines.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		if answer.ID == 0 { // a notification
			answered--
		} else if answer.Error != nil || answer.Result.IsError {
			t.Fatalf("call %d: %s", answer.ID, f.lines.Text())
		}
		if answered%50 == 0 {
			threads = max(threads, f.status("Threads"))
		}
	}
	peak := f.status("VmHWM") / 1024
	t.Logf("%d threads, %d MB", threads, peak)
	if threads >= 100 || peak >= 120 {
		t.Errorf("%d threads, %d MB", threads, peak)
	}
}

// TestFloodEndsAtOnce: SIGTERM ends a process that has more than a thousand calls to answer.
func TestFloodEndsAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGTERM")
	}
	repo := testRepo(t)
	if r := runHere("", "--repo", repo, "init"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	f := flood(t, repo, 1500)
	for range 20 {
		f.lines.Scan()
	}
	start := time.Now()
	if err := f.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for f.lines.Scan() { // until it closes its end
	}
	_ = f.cmd.Wait()
	if took := time.Since(start); took > 1500*time.Millisecond || f.cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("it took %s, %s", took, f.cmd.ProcessState)
	}
}
