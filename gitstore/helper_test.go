package gitstore_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMain shuts out the configuration of whoever runs the tests.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "engram-home")
	if err != nil {
		panic(err)
	}
	os.Setenv("HOME", home)
	os.Setenv("XDG_CONFIG_HOME", home)
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// newRepo is a repository with one commit on main and an identity.
func newRepo(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	gitIn(t, dir, "init", "-q", "-b", "main")
	gitIn(t, dir, "config", "user.name", "Ada")
	gitIn(t, dir, "config", "user.email", "ada@example.com")
	gitIn(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
