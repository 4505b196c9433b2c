package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// maxHook bounds a hook that is read. Scripts are smaller.
const maxHook = 1 << 20

// hookFile is a file in a folder of hooks.
type hookFile struct {
	path    string
	there   bool
	link    bool
	runs    bool // git would run it
	mode    fs.FileMode
	content []byte // nil if it is not a regular file of at most maxHook bytes
}

// readHook reads a file. A missing file is not an error.
func readHook(path string) (hookFile, error) {
	f := hookFile{path: path}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	f.there, f.link = true, info.Mode()&fs.ModeSymlink != 0
	if f.link {
		if info, err = os.Stat(path); err != nil {
			return f, nil // a dangling link
		}
	}
	if info.IsDir() {
		return f, fmt.Errorf("%s is a folder", path)
	}
	f.mode = info.Mode().Perm()
	f.runs = f.mode&0o111 != 0 || runtime.GOOS == "windows"
	if info.Mode().IsRegular() && info.Size() <= maxHook {
		f.content, err = os.ReadFile(path)
	}
	return f, err
}

// shell reports whether engram's lines can be inserted: the file is a shell script that git
// runs, and not a link to another place.
func (f hookFile) shell(hook string) bool {
	if !f.there || f.link || !f.runs || f.content == nil || !isShell(f.content) {
		return false
	}
	// These hooks pass standard input on as a text of several lines, which a \r breaks.
	return !hasCRLF(f.content) || hook != PrePush && hook != ReferenceTransaction
}

// maker names the tool that created a hook, for people.
func (f hookFile) maker() string {
	path := filepath.ToSlash(f.path)
	switch text := f.content; {
	case strings.Contains(path, "/.husky/"), bytes.Contains(text, []byte("husky")):
		return "husky"
	case bytes.Contains(text, []byte("lefthook")), bytes.Contains(text, []byte("LEFTHOOK")):
		return "lefthook"
	case bytes.Contains(text, []byte("pre-commit.com")), bytes.Contains(text, []byte("pre_commit")):
		return "pre-commit"
	}
	return "own script"
}

// newHook writes a hook of engram's, with the mode that git gives files.
func newHook(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}
