package filelock_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"engram/internal/filelock"
)

// TestSweep: what killed writers left goes once it is old, and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * time.Hour)
	for name, age := range map[string]time.Time{
		"a.json": old, "a.json.123": old, "a.json.124": time.Now(), "a.json.lock": old, "a.json.12x": old, "b.json.123": old, "a.json.": old,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, age, age); err != nil {
			t.Fatal(err)
		}
	}
	filelock.Sweep(filepath.Join(dir, "a.json"))
	filelock.Sweep(filepath.Join(dir, "nothing", "a.json"))
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := []string{"a.json", "a.json.", "a.json.124", "a.json.12x", "a.json.lock", "b.json.123"}; !slices.Equal(left, want) {
		t.Errorf("left is %q", left)
	}
}
