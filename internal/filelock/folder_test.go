package filelock_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"engram/internal/filelock"
)

func TestMakeFolder(t *testing.T) {
	git := filepath.Join(t.TempDir(), "engram", ".git") // a project of that name, too
	state := filepath.Join(git, "engram", "engram", "index")
	if err := filelock.MakeFolder(state); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without the repository: %v", err)
	}
	if _, err := os.Stat(filepath.Dir(git)); err == nil {
		t.Error("it made the repository")
	}
	if err := os.MkdirAll(git, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(git, "HEAD"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := filelock.MakeFolder(state); err != nil {
			t.Error(err)
		}
	}
	if err := filelock.MakeFolder(filepath.Join(t.TempDir(), "a", "b")); err != nil {
		t.Errorf("outside of any repository: %v", err)
	}
}
