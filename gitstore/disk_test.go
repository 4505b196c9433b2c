//go:build unix

package gitstore_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"engram/gitstore"
)

// refusedWrite checks that a write that failed for want of something left
// nothing behind, and that the next one works once there is enough of it.
func refusedWrite(t *testing.T, store *gitstore.Store, dir string, attempt func() string, mend func()) {
	t.Helper()
	tip := must(store.Tip(t.Context()))
	unchanged(t, dir, func() { t.Log(attempt()) })
	if now := must(store.Tip(t.Context())); now != tip {
		t.Errorf("the branch moved to %s", now)
	}
	noLitter(t, store)
	fsck(t, dir)
	mend()
	write(t, store, map[string]string{"after.yml": "after"})
	fsck(t, dir)
}

// TestDiskFull: on a file system of one megabyte, loose and packed.
func TestDiskFull(t *testing.T) {
	for name, files := range map[string]int{"loose": 10, "packed": 60} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "engram-test", dir).CombinedOutput(); err != nil {
				t.Skipf("needs the right to mount a file system: %v: %s", err, out)
			}
			t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
			gitIn(t, dir, "init", "-q", "--template=")
			gitIn(t, dir, "config", "user.name", "Ada")
			gitIn(t, dir, "config", "user.email", "ada@example.com")
			store := open(t, dir)
			tip := write(t, store, map[string]string{"before.yml": "before"})
			refusedWrite(t, store, dir, func() string {
				_, err := store.Apply(t.Context(), tip, manyWrites(files, 2<<20/files), gitstore.Meta{Message: "too much\n"})
				if !errors.Is(err, syscall.ENOSPC) {
					t.Errorf("got %v", err)
				}
				return fmt.Sprint(err)
			}, func() { gitIn(t, dir, "prune", "--expire=now") })
			mustDo(t, store.Close())
		})
	}
}

// TestFileSizeLimit stands in for a full disk where nothing can be mounted.
func TestFileSizeLimit(t *testing.T) {
	for name, files := range map[string]string{"loose": "3", "packed": "60"} {
		t.Run(name, func(t *testing.T) {
			dir := newRepo(t)
			store := open(t, dir)
			write(t, store, map[string]string{"before.yml": "before"})
			refusedWrite(t, store, dir, func() string {
				out, err := startRole(t, "applier", dir, files, "60000", "50000").Output()
				if err != nil || !strings.Contains(string(out), "write objects: ") || !strings.Contains(string(out), "file too large") {
					t.Errorf("%v: %s", err, out)
				}
				return string(out)
			}, func() {})
		})
	}
}

// TestReadOnlyObjects: a folder of objects that must not be written to.
func TestReadOnlyObjects(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	write(t, store, map[string]string{"before.yml": "before"})
	objects := filepath.Join(dir, ".git/objects")
	attempt := startRole(t, "applier", dir, "3", "100", "0")
	if os.Getuid() == 0 { // who may write everywhere: let nobody do it
		attempt = asNobody(t, dir, attempt)
	}
	everyFolder(t, objects, 0o555)
	t.Cleanup(func() { everyFolder(t, objects, 0o755) })
	refusedWrite(t, store, dir, func() string {
		out, err := attempt.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "write objects: ") || !strings.Contains(string(out), "permission denied") {
			t.Errorf("%v: %s", err, out)
		}
		return string(out)
	}, func() { everyFolder(t, objects, 0o755) })
}

func everyFolder(t *testing.T, top string, mode os.FileMode) {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(top, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range append(folders, top) {
		mustDo(t, os.Chmod(folder, mode))
	}
}

// asNobody hands the repository to another user, who runs cmd. The user of the
// test goes on with it: root may do everything, once git is told so.
func asNobody(t *testing.T, dir string, cmd *exec.Cmd) *exec.Cmd {
	t.Helper()
	const nobody = 65534
	self := filepath.Join(dir, "..", "test-binary")
	from, to := must(os.Open(cmd.Path)), must(os.OpenFile(self, os.O_CREATE|os.O_WRONLY, 0o755))
	must(io.Copy(to, from))
	mustDo(t, errors.Join(from.Close(), to.Close()))
	mustDo(t, os.Chmod(filepath.Dir(dir), 0o755))
	globally(t, "safe.directory", "*")
	mustDo(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, nobody, nobody))
	}))
	cmd.Path = self
	cmd.Env = append(cmd.Env, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return cmd
}
