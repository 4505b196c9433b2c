package setup_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/mcp/setup"
)

// TestNamedTwice: a file with two entries of engram's is refused whole, by removal
// as well.
func TestNamedTwice(t *testing.T) {
	p := place(t)
	write(t, filepath.Join(p.Project, ".mcp.json"), "{\"mcpServers\":{\"engram\":{\"command\":\"x\"},\"engram\":{\"command\":\"y\"}}}\n", 0o644)
	refusedWhole(t, p, "claude-code", `.mcp.json: names "engram" twice`)
}

// refusedWhole checks that nothing is done, and what is said.
func refusedWhole(t *testing.T, p setup.Place, client, want string) {
	t.Helper()
	before := snapshot(t, p)
	for name, work := range map[string]func(setup.Place, setup.Options) (setup.Report, error){"install": setup.Install, "status": setup.Status, "uninstall": setup.Uninstall} {
		var wrong *setup.FileError
		if _, err := work(p, options(client)); !errors.As(err, &wrong) || !strings.Contains(filepath.ToSlash(err.Error()), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, p)); diff != "" {
		t.Error(diff)
	}
}

// TestInTheWay: what stands where a folder has to be is called what it is.
func TestInTheWay(t *testing.T) {
	for want, make := range map[string]func(path string) error{
		".claude: is a file but must be a folder":      func(path string) error { return os.WriteFile(path, []byte("x"), 0o644) },
		".claude: is a dangling link":                  func(path string) error { return os.Symlink("nowhere", path) },
		".claude/settings.json: is not a regular file": func(path string) error { return os.MkdirAll(filepath.Join(path, "settings.json"), 0o755) },
	} {
		t.Run(want, func(t *testing.T) {
			p := place(t)
			must(t, make(filepath.Join(p.Project, ".claude")))
			refusedWhole(t, p, "claude-code", want)
		})
	}
}

// TestSweep: copies that a process which was killed left unfinished go with the next
// run, and those of processes that may still write stay.
func TestSweep(t *testing.T) {
	for name, work := range map[string]func(setup.Place, setup.Options) (setup.Report, error){"install": setup.Install, "uninstall": setup.Uninstall} {
		t.Run(name, func(t *testing.T) {
			p := place(t)
			old, fresh := filepath.Join(p.ProjectKept, ".new-1"), filepath.Join(p.HomeKept, ".new-2")
			for dir, age := range map[string]time.Duration{old: 61 * time.Minute, filepath.Join(p.HomeKept, ".new-3"): 61 * time.Minute, fresh: time.Minute, filepath.Join(p.ProjectKept, "other"): 61 * time.Minute} {
				write(t, filepath.Join(dir, "before.json"), "{", 0o600)
				then := time.Now().Add(-age)
				must(t, os.Chtimes(dir, then, then))
			}
			_, err := setup.Status(p, options("cursor"))
			must(t, err)
			if !exists(old) {
				t.Error("looking deletes")
			}
			_, err = work(p, options("cursor"))
			must(t, err)
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(p.Project), "*", "setup", ".*")); strings.Contains(strings.Join(left, " "), ".new-1") || strings.Contains(strings.Join(left, " "), ".new-3") {
				t.Errorf("left: %v", left)
			}
			if !exists(fresh) || !exists(filepath.Join(p.ProjectKept, "other")) {
				t.Error("too much is deleted")
			}
		})
	}
}

// TestTogetherLeavesNoFolder: whoever of several at once made the folders, they go,
// and those that were there before stay.
func TestTogetherLeavesNoFolder(t *testing.T) {
	names := []string{"claude-code", "cursor", "vscode", "gemini"}
	for range 20 {
		p := place(t)
		must(t, os.Mkdir(filepath.Join(p.Project, ".vscode"), 0o755))
		empty := snapshot(t, p)
		done := make(chan error)
		for range 4 {
			go func() {
				_, err := setup.Install(p, options(names...))
				done <- err
			}()
		}
		for range 4 {
			if err := <-done; err != nil && !strings.Contains(err.Error(), "in the meantime") {
				t.Error(err)
			}
		}
		_, err := setup.Uninstall(p, options(names...))
		must(t, err)
		if diff := cmp.Diff(empty, snapshot(t, p)); diff != "" {
			t.Fatal(diff)
		}
	}
}
