// Package gittest makes the git repositories of tests, in the formats that git's own
// variables choose: GIT_DEFAULT_HASH=sha256 and, with git 2.45 or newer,
// GIT_DEFAULT_REF_FORMAT=reftable. To start a git costs
// more than most of what tests let it do, so this package starts one only where
// git's own behaviour matters. Only tests import it.
package gittest

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
)

// Author is who the repositories of New commit as.
const Author = "Ada <ada@example.com>"

// Isolate hides the configuration of whoever runs the tests, and returns what
// removes the home folder that the tests get instead. Commands of git do no
// maintenance by themselves there: one that outlives its test would write into
// a removed folder.
func Isolate() (remove func()) {
	home, err := os.MkdirTemp("", "engram-home")
	if err != nil {
		panic(err)
	}
	settings := []byte("[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n")
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), settings, 0o644); err != nil {
		panic(err)
	}
	os.Setenv("HOME", home)
	os.Setenv("XDG_CONFIG_HOME", home)
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	return func() { os.RemoveAll(home) }
}

// New returns a repository with one empty commit on main, and an identity.
func New(t testing.TB) string {
	t.Helper()
	files, err := template()
	dir := t.TempDir()
	if err == nil {
		err = os.CopyFS(dir, files)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// template is the repository that New copies, as git made it.
var template = sync.OnceValues(func() (fs.FS, error) {
	dir, err := os.MkdirTemp("", "engram-template")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"config", "user.name", "Ada"},
		{"config", "user.email", "ada@example.com"},
		{"commit", "-q", "--allow-empty", "-m", "first"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	files := fstest.MapFS{}
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(path, ".sample") {
			return err
		}
		if d.IsDir() {
			files[path] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
			return nil
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = &fstest.MapFile{Data: data, Mode: 0o644}
		return err
	})
	return files, err
})

// Commit stores a commit of files, as any other git might have made it: it
// checks nothing. A file whose text begins with x: is executable, with l: a
// symbolic link, and with s: a submodule. No reference is moved.
func Commit(t testing.TB, dir string, files map[string]string, parents ...string) string {
	t.Helper()
	dir = gitDir(dir)
	var commit strings.Builder
	fmt.Fprintf(&commit, "tree %s\n", storeTree(t, dir, files))
	for _, parent := range parents {
		fmt.Fprintf(&commit, "parent %s\n", parent)
	}
	now := time.Now().Unix()
	fmt.Fprintf(&commit, "author %s %d +0000\ncommitter %s %d +0000\n\nmade by a test\n", Author, now, Author, now)
	return store(t, dir, "commit", []byte(commit.String()))
}

// Blob stores a file's content.
func Blob(t testing.TB, dir, text string) string {
	t.Helper()
	return store(t, gitDir(dir), "blob", []byte(text))
}

// gitDir is where a repository keeps its objects: dir itself, if it is bare.
func gitDir(dir string) string {
	if inside := filepath.Join(dir, ".git"); exists(inside) {
		return inside
	}
	return dir
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func storeTree(t testing.TB, gitDir string, files map[string]string) string {
	entries := map[string]string{} // name, with a slash behind a folder's, as git sorts them → entry
	folders := map[string]map[string]string{}
	for path, text := range files {
		if first, rest, inFolder := strings.Cut(path, "/"); inFolder {
			if folders[first] == nil {
				folders[first] = map[string]string{}
			}
			folders[first][rest] = text
			continue
		}
		mode := "100644"
		switch {
		case strings.HasPrefix(text, "x:"):
			mode, text = "100755", text[2:]
		case strings.HasPrefix(text, "l:"):
			mode, text = "120000", text[2:]
		case strings.HasPrefix(text, "s:"):
			entries[path] = entry("160000", path, sum(t, gitDir, []byte(text)))
			continue
		}
		entries[path] = entry(mode, path, store(t, gitDir, "blob", []byte(text)))
	}
	for name, files := range folders {
		entries[name+"/"] = entry("40000", name, storeTree(t, gitDir, files))
	}
	var tree strings.Builder
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		tree.WriteString(entries[name])
	}
	return store(t, gitDir, "tree", []byte(tree.String()))
}

func entry(mode, name, id string) string {
	raw, _ := hex.DecodeString(id)
	return mode + " " + name + "\x00" + string(raw)
}

// sum is the hash that names objects with that content in a repository.
func sum(t testing.TB, gitDir string, data []byte) string {
	config, err := os.ReadFile(filepath.Join(gitDir, "config"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(bytes.ToLower(config), []byte("objectformat = sha256")) {
		return fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return fmt.Sprintf("%x", sha1.Sum(data))
}

// store writes a loose object.
func store(t testing.TB, gitDir, kind string, content []byte) string {
	data := append(fmt.Appendf(nil, "%s %d\x00", kind, len(content)), content...)
	id := sum(t, gitDir, data)
	path := filepath.Join(gitDir, "objects", id[:2], id[2:])
	if exists(path) {
		return id
	}
	var packed bytes.Buffer
	w, err := zlib.NewWriterLevel(&packed, zlib.BestSpeed)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, packed.Bytes(), 0o444)
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}
