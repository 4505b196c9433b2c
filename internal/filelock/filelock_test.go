package filelock_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"engram/internal/filelock"
)

const holderVariable = "ENGRAM_TEST_LOCK"

// TestMain plays a process that holds a lock until its input ends, where the
// environment asks for one.
func TestMain(m *testing.M) {
	path := os.Getenv(holderVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	mode := filelock.Shared
	if os.Args[1] == "exclusive" {
		mode = filelock.Exclusive
	}
	release, err := filelock.Acquire(context.Background(), path, mode)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("held")
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := release(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

type holder struct {
	cmd *exec.Cmd
	in  io.Closer
}

// hold starts a process and waits until it holds the lock.
func hold(t *testing.T, path, mode string) holder {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, mode)
	cmd.Env = append(os.Environ(), holderVariable+"="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the holder says %q: %v", line, err)
	}
	return holder{cmd, in}
}

// try reports whether the lock is to be had at once.
func try(t *testing.T, path string, mode filelock.Mode) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	release, err := filelock.Acquire(ctx, path, mode)
	if err == nil {
		if err := release(); err != nil {
			t.Error(err)
		}
		return true
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	return false
}

// TestBetweenProcesses: who excludes whom, and what the end of a process does.
func TestBetweenProcesses(t *testing.T) {
	for _, test := range []struct {
		holds             string
		shared, exclusive bool
	}{{"shared", true, false}, {"exclusive", false, false}} {
		for _, end := range []string{"releases", "is killed"} {
			t.Run(test.holds+" "+end, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "new", "folder", "lock")
				h := hold(t, path, test.holds)
				if got := try(t, path, filelock.Shared); got != test.shared {
					t.Errorf("shared: %v", got)
				}
				if got := try(t, path, filelock.Exclusive); got != test.exclusive {
					t.Errorf("exclusive: %v", got)
				}
				waiting := make(chan error, 1)
				go func() {
					release, err := filelock.Acquire(t.Context(), path, filelock.Exclusive)
					if err == nil {
						err = release()
					}
					waiting <- err
				}()
				if end == "releases" {
					_ = h.in.Close()
				} else {
					_ = h.cmd.Process.Kill()
				}
				select {
				case err := <-waiting:
					if err != nil {
						t.Error(err)
					}
				case <-time.After(10 * time.Second):
					t.Error("the waiter was not woken")
				}
			})
		}
	}
}

// TestCancelled: a waiter that gives up takes nothing with it, and what it
// left behind ends as soon as the lock is free.
func TestCancelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	release, err := filelock.Acquire(t.Context(), path, filelock.Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	cause := errors.New("changed my mind")
	for range 5 {
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			time.Sleep(5 * time.Millisecond)
			cancel(cause)
		}()
		if _, err := filelock.Acquire(ctx, path, filelock.Exclusive); !errors.Is(err, cause) {
			t.Errorf("got %v", err)
		}
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if !try(t, path, filelock.Exclusive) {
		t.Error("a cancelled waiter keeps the lock")
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestWithinOneProcess: goroutines exclude each other like processes.
func TestWithinOneProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var inside, readers, most atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				release, err := filelock.Acquire(t.Context(), path, filelock.Exclusive)
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 || readers.Load() != 0 {
					t.Error("not alone")
				}
				inside.Add(-1)
				_ = release()
				release, err = filelock.Acquire(t.Context(), path, filelock.Shared)
				if err != nil {
					t.Error(err)
					return
				}
				most.Store(max(most.Load(), readers.Add(1)))
				if inside.Load() != 0 {
					t.Error("a writer among readers")
				}
				readers.Add(-1)
				_ = release()
			}
		})
	}
	wg.Wait()
}

// TestUnusable: a lock that cannot be had at all is an error, at once.
func TestUnusable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := filelock.Acquire(t.Context(), filepath.Join(file, "lock"), filelock.Shared); err == nil {
		t.Error("a lock below a file")
	}
	if _, err := filelock.Acquire(t.Context(), t.TempDir(), filelock.Exclusive); err == nil {
		t.Error("a folder as a lock")
	}
}
