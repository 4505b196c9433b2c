package memory_test

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"engram/memory"
	"engram/secret"
)

func init() { roles["capturer"] = runCapturer }

// runCapturer appends to a transcript, captures it, acknowledges what it captured, and
// seals now and then, until it is killed.
func runCapturer(args []string) error {
	dir, id, file := args[0], args[1], args[2]
	m, err := memory.Open(context.Background(), dir, secret.New(), nil)
	if err != nil {
		return err
	}
	had, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	s := newScript(id, dir)
	s.lines = make([]string, strings.Count(string(had), "\n"))
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	for {
		n := len(s.lines)
		if _, err := f.WriteString(s.user(fmt.Sprintf("message %d", n)).lines[n]); err != nil {
			return err
		}
		if _, err := captureIn(context.Background(), dir, id, file); err != nil {
			return err
		}
		fmt.Println(n + 1)
		if n%3 == 0 {
			if err := m.SealSession(context.Background(), id, math.MaxInt64); err != nil {
				return err
			}
		}
	}
}

// TestCaptureKills: a process that captures and seals is killed again and again: no
// acknowledged event is lost, none is there twice, and turns are counted on.
func TestCaptureKills(t *testing.T) {
	kills := 8
	if fullSessions {
		kills = 100
	}
	b := newSessions(t)
	file := writeFile(t, filepath.Join(t.TempDir(), "killed-one.jsonl"), "")
	for i := range kills {
		cmd := exec.Command(os.Args[0], b.dir, "killed-one", file)
		cmd.Env = append(os.Environ(), roleVariable+"=capturer")
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		acknowledged, lines := 0, bufio.NewScanner(out)
		if lines.Scan() {
			acknowledged, _ = strconv.Atoi(lines.Text())
		}
		time.AfterFunc(time.Duration(i*7919%60)*time.Millisecond, func() { _ = cmd.Process.Kill() })
		for lines.Scan() {
			acknowledged, _ = strconv.Atoi(lines.Text())
		}
		_ = cmd.Wait()
		if got := len(b.session("killed-one").Events); got < acknowledged || acknowledged == 0 {
			t.Fatalf("kill %d: %d events were acknowledged, and %d are there", i, acknowledged, got)
		}
	}
	b.hook("killed-one", file)
	if err := b.SealSession(t.Context(), "killed-one", math.MaxInt64); err != nil {
		t.Fatal(err)
	}
	b.eventIDs("killed-one")
	for i, e := range b.session("killed-one").Events {
		if e.Turn != i+1 || e.Text != fmt.Sprintf("message %d", i) {
			t.Fatalf("event %d is of turn %d and says %q", i, e.Turn, e.Text)
		}
	}
	content, err := os.ReadFile(file)
	if err != nil || b.export("killed-one") != string(content) {
		t.Error("the transcript is another one", err)
	}
	gitIn(t, b.dir, "fsck", "--strict")
}

// TestCaptureIsImport: hooks that read a transcript in parts, several at a time, make the
// session that an import makes.
func TestCaptureIsImport(t *testing.T) {
	b, other := newSessions(t), newSessions(t)
	s := talk("hooked-one", 6)
	file := filepath.Join(t.TempDir(), "hooked-one.jsonl")
	text := s.text()
	for size := 100; ; size += 1777 {
		size = min(size, len(text))
		writeFile(t, file, text[:size])
		var hooks sync.WaitGroup
		for range 3 {
			hooks.Go(func() {
				if _, err := captureIn(t.Context(), b.dir, "hooked-one", file); err != nil {
					t.Error(err)
				}
			})
		}
		if size%2 == 0 {
			if err := b.SealSession(t.Context(), "hooked-one", math.MaxInt64); err != nil {
				t.Error(err)
			}
		}
		hooks.Wait()
		if size == len(text) {
			break
		}
	}
	other.importFiles(file)
	for _, sealed := range []bool{false, true} {
		if sealed {
			if err := b.SealSession(t.Context(), "hooked-one", math.MaxInt64); err != nil {
				t.Fatal(err)
			}
		}
		got, want := b.eventIDs("hooked-one"), other.eventIDs("hooked-one")
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("captured\n%s\nimported\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if err := b.SealSession(t.Context(), "hooked-one", math.MaxInt64); err != nil {
		t.Errorf("nothing to seal: %v", err)
	}
	if got := b.export("hooked-one"); got != text {
		t.Error("the transcript is another one")
	}
	if r := b.importFiles(file); r.Events != 0 {
		t.Errorf("an import after hooks brought %d events", r.Events)
	}
}
