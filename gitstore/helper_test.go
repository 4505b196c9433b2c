package gitstore_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
	"engram/internal/gittest"
)

// roleVariable makes the test binary play one process of a test instead of
// running the tests.
const roleVariable = "ENGRAM_TEST_ROLE"

var roles = map[string]func(args []string) error{
	"updater": runUpdater,
	"writer":  runWriter,
	"applier": runApplier,
	"merger":  runMerger,
	"purger":  runPurger,
}

// TestMain shuts out the configuration of whoever runs the tests.
func TestMain(m *testing.M) {
	if role, ok := roles[os.Getenv(roleVariable)]; ok {
		if err := role(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	remove := gittest.Isolate()
	code := m.Run()
	remove()
	os.Exit(code)
}

// startRole prepares another process of the test binary.
func startRole(t testing.TB, role string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	return cmd
}

// newRepo is a repository with one commit on main and an identity.
func newRepo(t testing.TB, options ...string) string {
	t.Helper()
	if len(options) == 0 {
		return gittest.New(t)
	}
	dir := t.TempDir()
	gitIn(t, dir, append([]string{"init", "-q", "-b", "main"}, options...)...)
	gitIn(t, dir, "config", "user.name", "Ada")
	gitIn(t, dir, "config", "user.email", "ada@example.com")
	gitIn(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	return gitInput(t, dir, "", args...)
}

func gitInput(t testing.TB, dir, input string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func mustDo(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// open is a store that the test closes.
func open(t testing.TB, dir string) *gitstore.Store {
	t.Helper()
	store, err := gitstore.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatalf("open %s: %v", dir, err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return store
}

// write is a commit of files; an empty content removes one.
func write(t testing.TB, store *gitstore.Store, files map[string]string) string {
	t.Helper()
	revision, err := store.Update(context.Background(), func(string) ([]gitstore.Write, gitstore.Meta, error) {
		return writes(files), gitstore.Meta{Message: "change the memory\n"}, nil
	})
	if err != nil {
		t.Fatalf("write: %v", err)
	}
	return revision
}

func writes(files map[string]string) []gitstore.Write {
	var list []gitstore.Write
	for path, text := range files {
		w := gitstore.Write{Path: path}
		if text != "" {
			w.Data = []byte(text)
		}
		list = append(list, w)
	}
	return list
}

// contents is everything in a revision, as the store reads it.
func contents(t testing.TB, store *gitstore.Store, revision string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for file, err := range store.All(context.Background(), revision, "") {
		if err != nil || file.Err != nil {
			t.Fatalf("read all: %v %v", err, file.Err)
		}
		files[file.Path] = string(file.Data)
	}
	return files
}

func fsck(t testing.TB, dir string) {
	t.Helper()
	git := filepath.Join(dir, ".git")
	if info, err := os.Stat(git); err != nil || !info.IsDir() { // bare, or a linked work tree
		git = gitIn(t, dir, "-c", "safe.bareRepository=all", "rev-parse", "--absolute-git-dir")
	}
	args := []string{"--git-dir=" + git, "-c", "fsck.nullSha1=error"}
	// Without these files there is nothing to check in them, which fsck starts gits for.
	if graphs, _ := filepath.Glob(filepath.Join(git, "objects/info/commit-graph*")); len(graphs) == 0 {
		args = append(args, "-c", "core.commitGraph=false")
	}
	if !exists(filepath.Join(git, "objects/pack/multi-pack-index")) {
		args = append(args, "-c", "core.multiPackIndex=false")
	}
	out := gitIn(t, dir, append(args, "fsck", "--strict", "--no-progress", "--no-dangling")...)
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "notice:") {
			t.Errorf("git fsck says: %s", line)
		}
	}
}

// noLitter fails where temporary files are left among the objects.
func noLitter(t testing.TB, store *gitstore.Store) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(store.CommonDir(), "objects"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), "tmp_") {
			t.Errorf("left behind: %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// snapshot is all that is the user's: work tree, index, HEAD, other
// references, their logs, and configuration. The memory branch, the objects
// and engram's own folder are left out.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	state := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		rel = filepath.ToSlash(strings.TrimPrefix(rel, ".git/"))
		switch rel {
		case "objects", "engram":
			return filepath.SkipDir
		case "refs/heads/engram", "logs/refs/heads/engram":
			return nil
		}
		if d.IsDir() {
			state[rel] = "folder"
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		state[rel] = fmt.Sprintf("%v %v %s", info.Mode(), info.ModTime().Format(time.RFC3339Nano), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// unchanged runs f and fails where it changed anything of the user's.
func unchanged(t testing.TB, dir string, f func()) {
	t.Helper()
	before := snapshot(t, dir)
	f()
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Errorf("the user's state changed (-before +after):\n%s", diff)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
