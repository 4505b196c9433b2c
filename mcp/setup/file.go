package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// file is a client's file as it was read.
type file struct {
	path  string // with links resolved
	there bool
	mode  fs.FileMode
	text  string
}

var errLeadsNowhere = errors.New("is a dangling link")

// checkFolder rejects a path if something other than a folder is in the place of one of its
// folders. Missing folders can be created.
func checkFolder(path string) error {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch {
		case err == nil && info.IsDir():
			return nil
		case err == nil:
			return &FileError{dir, errors.New("is a file but must be a folder")}
		case isLink(dir) && errors.Is(err, fs.ErrNotExist):
			return &FileError{dir, errLeadsNowhere}
		case isLink(dir) || dir == filepath.Dir(dir):
			return &FileError{dir, err}
		}
	}
}

// readFile reads a file. A missing file is not an error.
func readFile(path string) (file, error) {
	f := file{path: path}
	if err := checkFolder(path); err != nil {
		return f, err
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	real, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, &FileError{path, errLeadsNowhere}
	case err != nil:
		return f, &FileError{path, err}
	}
	f.path = real
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return f, &FileError{path, err}
	case !info.Mode().IsRegular():
		return f, &FileError{path, errors.New("is not a regular file")}
	case info.Size() > maxFile:
		return f, &FileError{path, fmt.Errorf("has %d bytes; at most %d are read", info.Size(), maxFile)}
	}
	raw, err := os.ReadFile(real)
	if err != nil {
		return f, &FileError{path, err}
	}
	f.there, f.mode, f.text = true, info.Mode().Perm(), string(raw)
	return f, nil
}

// write replaces a file in one step, unless it has changed since it was read. A new file
// gets the mode, less the umask.
func (f file) write(text string, mode fs.FileMode) error {
	dir, name := filepath.Split(f.path)
	temp, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf(".%s.engram-%d-%d", name, os.Getpid(), time.Now().UnixNano())), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return &FileError{f.path, err}
	}
	_, err = temp.WriteString(text)
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err == nil && f.there {
		err = os.Chmod(temp.Name(), f.mode)
	}
	if err == nil {
		err = f.unchanged()
	}
	if err == nil {
		err = os.Rename(temp.Name(), f.path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
		return &FileError{f.path, err}
	}
	return nil
}

func (f file) unchanged() error {
	now, err := readFile(f.path)
	if err == nil && (now.there != f.there || now.text != f.text) {
		err = errors.New("the file was changed in the meantime; run the command again")
	}
	return err
}

// makeFolders creates the folders of a path and returns how many were missing.
func makeFolders(path string) (made int, err error) {
	dir := filepath.Dir(path)
	for d := dir; !exists(d); d = filepath.Dir(d) {
		made++
	}
	return made, os.MkdirAll(dir, 0o755)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
