//go:build unix

package journal_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"engram/session/journal"
)

// full appends until no more fits, where no file may have more than 10,000 bytes, and
// prints why that was.
func full(dir string) {
	signal.Ignore(syscall.SIGXFSZ) // the write fails instead
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 10_000, Max: 10_000}); err != nil {
		fmt.Println(err)
		return
	}
	j := journal.Open(dir)
	for {
		err := j.Append(context.Background(), func([]byte, int64) ([][]byte, []journal.Artifact, error) {
			return [][]byte{[]byte(strings.Repeat("a", 2000)), []byte(strings.Repeat("b", 999))}, nil, nil
		})
		if err != nil {
			fmt.Println(err)
			return
		}
	}
}

// TestFull: where a write finds no room, none of its lines is in the log.
func TestFull(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ab", "one")
	cmd, out := start(t, "full", dir)
	said := make([]byte, 1000)
	n, _ := out.Read(said)
	_ = cmd.Wait()
	if !strings.Contains(string(said[:n]), "file too large") {
		t.Errorf("the writer says %q", said[:n])
	}
	checkFull(t, dir)
}

// TestFullDisk is TestFull on a disk that is full. It needs the right to mount one.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("no disk to fill: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	}()
	j := journal.Open(filepath.Join(disk, "one"))
	add(t, j, "first")
	if err := os.WriteFile(filepath.Join(disk, "filler"), make([]byte, 45<<10), 0o644); err != nil {
		t.Fatal(err)
	}
	err := j.Append(t.Context(), func([]byte, int64) ([][]byte, []journal.Artifact, error) {
		return [][]byte{[]byte("second"), []byte(strings.Repeat("x", 100_000))}, nil, nil
	})
	if err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Error(err)
	}
	a := artifact(strings.Repeat("y", 100_000))
	err = j.Append(t.Context(), func([]byte, int64) ([][]byte, []journal.Artifact, error) {
		return [][]byte{[]byte(a.Digest)}, []journal.Artifact{a}, nil
	})
	if err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Error(err)
	}
	if got := read(t, j); !slices.Equal(got, []string{"first"}) {
		t.Error(got)
	}
	add(t, j, "third")
}

func checkFull(t *testing.T, dir string) {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, "log"))
	if err != nil || info.Size() != 9003 {
		t.Fatal(info, err)
	}
	if got := read(t, journal.Open(dir)); len(got) != 6 {
		t.Errorf("%d lines", len(got))
	}
}
