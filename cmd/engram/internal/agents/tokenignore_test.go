package agents

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTokenFileThatCouldBeCommitted is warned of: in a work tree, where git does not
// ignore it.
func TestTokenFileThatCouldBeCommitted(t *testing.T) {
	repo := t.TempDir()
	if out, err := exec.Command("git", "init", "--quiet", repo).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, out)
	}
	for name, text := range map[string]string{".gitignore": "hidden\n", "tokens": "x", "hidden": "x"} {
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]bool{
		filepath.Join(repo, "tokens"): true, filepath.Join(repo, "hidden"): false, filepath.Join(repo, ".git", "tokens"): false,
		filepath.Join(t.TempDir(), "tokens"): false, "": false,
	} {
		if got := couldBeCommitted(t.Context(), path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	t.Chdir(repo)
	if !couldBeCommitted(t.Context(), "tokens") || couldBeCommitted(t.Context(), "hidden") {
		t.Error("relative to the folder")
	}
}
