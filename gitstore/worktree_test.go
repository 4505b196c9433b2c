package gitstore_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"engram/gitstore"
)

func TestWorkFile(t *testing.T) {
	dir := newRepo(t)
	outside := filepath.Join(t.TempDir(), "secret")
	mustDo(t, os.WriteFile(outside, []byte("secret"), 0o600))
	mustDo(t, os.MkdirAll(filepath.Join(dir, "a/b"), 0o755))
	mustDo(t, os.WriteFile(filepath.Join(dir, "a/b/file"), []byte("text\r\n"), 0o644))
	mustDo(t, os.Symlink("file", filepath.Join(dir, "a/b/link")))
	mustDo(t, os.Symlink("a", filepath.Join(dir, "folderlink")))
	mustDo(t, os.Symlink(outside, filepath.Join(dir, "out")))
	mustDo(t, os.Symlink(filepath.Dir(outside), filepath.Join(dir, "outfolder")))
	mustDo(t, os.Symlink(".git", filepath.Join(dir, "dotgit")))
	mustDo(t, os.WriteFile(filepath.Join(dir, "big"), make([]byte, gitstore.MaxCodeFile+1), 0o644))
	store := open(t, dir)
	data, err := store.WorkFile("a/b/file")
	if err != nil || string(data) != "text\r\n" {
		t.Errorf("%q, %v", data, err)
	}
	for path, says := range map[string]string{
		"a/b/none": "no file", "a/none/file": "no file", "a/b/file/x": "", "a/b": "not a regular file",
		"a/b/link": "symbolic link", "folderlink/b/file": "symbolic link", "out": "symbolic link", "outfolder/secret": "symbolic link", "dotgit/config": "symbolic link",
		"../secret": "leaves", outside: "relative", ".git/config": ".git", "a/../a/b/file": "not clean", `a\b\file`: "forward", "": "no path",
	} {
		data, err := store.WorkFile(path)
		if !errors.Is(err, gitstore.ErrNotFound) || !strings.Contains(err.Error(), says) || data != nil {
			t.Errorf("%s: %q, %v does not say %q", path, data, err, says)
		}
	}
	if _, err := store.WorkFile("big"); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Error(err)
	}
}

// TestWorkFileUnderSwaps reads a file while a folder and a file on the way to it turn
// into links that lead out, and back.
func TestWorkFileUnderSwaps(t *testing.T) {
	dir, away := newRepo(t), t.TempDir()
	mustDo(t, os.MkdirAll(filepath.Join(away, "b"), 0o755))
	for _, root := range []string{dir, away} {
		mustDo(t, os.MkdirAll(filepath.Join(root, "a"), 0o755))
	}
	mustDo(t, os.WriteFile(filepath.Join(away, "a/file"), []byte("secret"), 0o644))
	mustDo(t, os.WriteFile(filepath.Join(dir, "a/file"), []byte("text"), 0o644))
	mustDo(t, os.Mkdir(filepath.Join(dir, "inside"), 0o755))
	mustDo(t, os.WriteFile(filepath.Join(dir, "inside/file"), []byte("inside"), 0o644))
	store := open(t, dir)
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			folder, kept, target := filepath.Join(dir, "a"), filepath.Join(dir, "kept"), []string{filepath.Join(away, "a"), "inside"}[i%2]
			if i%3 == 2 {
				folder, kept, target = filepath.Join(dir, "a/file"), filepath.Join(dir, "a/kept"), filepath.Join(away, "a/file")
			}
			_ = os.Rename(folder, kept)
			_ = os.Symlink(target, folder)
			_ = os.Remove(folder)
			_ = os.Rename(kept, folder)
		}
	})
	good := 0
	for range 4000 {
		data, err := store.WorkFile("a/file")
		switch {
		case err == nil && string(data) == "text":
			good++
		case err == nil || !errors.Is(err, gitstore.ErrNotFound):
			t.Errorf("reads %q, %v", data, err)
		}
	}
	close(stop)
	swapping.Wait()
	if good == 0 {
		t.Error("nothing was read at all")
	}
}

func TestCode(t *testing.T) {
	dir := newRepo(t)
	long := append(bytes.Repeat([]byte("x\n"), gitstore.MaxCodeFile/2), '\n')
	for name, content := range map[string][]byte{"f/a.go": []byte("func a() {\n\tone\n\ttwo\n\tthree\n\tfour\n\tfive\n}\n"), "huge": long, "z": []byte("z")} {
		mustDo(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		mustDo(t, os.WriteFile(filepath.Join(dir, name), content, 0o644))
	}
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-q", "-m", "code")
	first := gitIn(t, dir, "rev-parse", "HEAD")
	mustDo(t, os.WriteFile(filepath.Join(dir, "f/a.go"), []byte("func a() {\n\tone\n\ttwo\n\tthree\n\tfour\n\tSIX\n}\n"), 0o644))
	mustDo(t, os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("*.go -diff\nz diff=x\n"), 0o644))
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-q", "-m", "more")
	second := gitIn(t, dir, "rev-parse", "HEAD")
	store := open(t, dir)
	at := must(store.CodeAt(t.Context(), first, "huge"))
	if _, err := store.CodeBlob(t.Context(), at.Name); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Error(err)
	}
	if _, err := store.CodeDiff(t.Context(), first, second, "huge"); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Error(err)
	}
	if _, err := store.CodeBlob(t.Context(), must(store.CodeAt(t.Context(), first, "f")).Name); !errors.Is(err, gitstore.ErrNotFound) {
		t.Error(err)
	}
	want := must(store.CodeDiff(t.Context(), first, second, "f/a.go"))
	if !strings.HasSuffix(string(want), "+++ b/f/a.go\n@@ -3,5 +3,5 @@\n \ttwo\n \tthree\n \tfour\n-\tfive\n+\tSIX\n }\n") {
		t.Errorf("%s", want)
	}
	for _, set := range []string{"diff.noprefix=true", "diff.context=0", "color.ui=always", "diff.algorithm=patience", "diff.external=false", "core.abbrev=5", "diff.mnemonicPrefix=true", "diff.interHunkContext=9", "diff.srcPrefix=x/", "diff.x.textconv=false"} {
		name, value, _ := strings.Cut(set, "=")
		gitIn(t, dir, "config", name, value)
		if got, err := store.CodeDiff(t.Context(), first, second, "f/a.go"); err != nil || !bytes.Equal(got, want) {
			t.Errorf("with %s: %s, %v", set, got, err)
		}
	}
	head, err := store.CodeHead(t.Context())
	if err != nil || head != second {
		t.Errorf("HEAD is %s, %v", head, err)
	}
	linked := filepath.Join(t.TempDir(), "linked")
	gitIn(t, dir, "worktree", "add", "-q", "--detach", linked, first)
	if head, err := open(t, linked).CodeHead(t.Context()); err != nil || head != first {
		t.Errorf("HEAD of the linked work tree is %s, %v", head, err)
	}
	gitIn(t, dir, "branch", "abcdef1", first)
	if _, err := store.CommitOf(t.Context(), "abcdef1"); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("a branch is taken for a commit: %v", err)
	}
	list := must(store.CodeFolder(t.Context(), must(store.RootFolder(t.Context(), second))))
	if len(list) != 4 || list[1].Path != "f" || list[1].Kind != gitstore.CodeFolder {
		t.Errorf("%+v", list)
	}
}
