package code

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"engram/facts"
	"engram/gitstore/internal/gitcmd"
)

// WorkFile reads a file of the work tree as it is, of at most MaxCodeFile bytes. The
// path is relative to the top, with forward slashes. No symbolic link is followed,
// neither in the path nor at its end, also where somebody puts one there meanwhile;
// nothing outside the work tree and nothing of git's own is read. The error wraps
// ErrNotFound, also where something other than a plain file stands there, or
// ErrTooLarge.
func (r *Reader) WorkFile(path string) ([]byte, error) {
	if r.repo.WorkTree == "" {
		return nil, fmt.Errorf("%w: there is no work tree here", gitcmd.ErrNotFound)
	}
	if err := facts.CheckPath(path); err != nil {
		return nil, fmt.Errorf("%w: %.120q %w", gitcmd.ErrNotFound, path, err)
	}
	var data []byte
	err := r.below(path, func(root *os.Root, name string) (err error) {
		data, err = readPlain(root, name)
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, fmt.Errorf("%w: no file %s in the work tree", gitcmd.ErrNotFound, path)
	case err != nil:
		return nil, fmt.Errorf("read %s in the work tree: %w", path, err)
	}
	return data, nil
}

// below goes down folder by folder, so that each can be held against its name, and
// calls then for the last one.
func (r *Reader) below(path string, then func(in *os.Root, name string) error) error {
	root, err := os.OpenRoot(r.repo.WorkTree)
	if err != nil {
		return err
	}
	defer func() { root.Close() }()
	for {
		name, below, nested := strings.Cut(path, "/")
		if !nested {
			return then(root, name)
		}
		next, err := r.folderBelow(root, name)
		if err != nil {
			return err
		}
		root.Close()
		root, path = next, below
	}
}

// folderBelow opens a folder. os.Root follows links that stay inside; that this was
// none shows when the name, asked after opening and without following, stands for
// the very folder that is open.
func (r *Reader) folderBelow(root *os.Root, name string) (*os.Root, error) {
	next, err := root.OpenRoot(name)
	if err != nil {
		if info, statErr := root.Lstat(name); statErr == nil && info.Mode().IsRegular() {
			err = syscall.ENOTDIR
		}
		return nil, linkOr(root, name, err)
	}
	opened, err := next.Stat(".")
	if err == nil {
		err = sameAs(root, name, opened)
	}
	// A file system may take other names for .git than git forbids.
	for _, dir := range slices.Compact([]string{r.repo.GitDir, r.repo.CommonDir}) {
		if info, statErr := os.Stat(dir); err == nil && statErr == nil && os.SameFile(opened, info) {
			err = fmt.Errorf("%w: it is in git's own folder", gitcmd.ErrNotFound)
		}
	}
	if err != nil {
		next.Close()
		return nil, err
	}
	return next, nil
}

// openPlain opens a plain file. Opening does not wait for the other end of a pipe.
func openPlain(root *os.Root, name string) (f *os.File, opened fs.FileInfo, err error) {
	f, err = root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, linkOr(root, name, err)
	}
	if opened, err = f.Stat(); err == nil {
		err = sameAs(root, name, opened)
	}
	if err == nil && !opened.Mode().IsRegular() {
		err = fmt.Errorf("%w: it is no plain file", gitcmd.ErrNotFound)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, opened, nil
}

// readPlain reads a plain file.
func readPlain(root *os.Root, name string) ([]byte, error) {
	f, opened, err := openPlain(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var content bytes.Buffer
	content.Grow(int(min(opened.Size(), MaxCodeFile)) + bytes.MinRead)
	_, err = content.ReadFrom(io.LimitReader(f, MaxCodeFile+1))
	data := content.Bytes()
	if err == nil && len(data) > MaxCodeFile {
		err = fmt.Errorf("%w: it has more than %d bytes", gitcmd.ErrTooLarge, MaxCodeFile)
	}
	return data, err
}

// sameAs reports as an error where a name does not stand for what was opened by it.
func sameAs(root *os.Root, name string, opened fs.FileInfo) error {
	info, err := root.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return errLink(name)
	}
	if !os.SameFile(info, opened) {
		return fmt.Errorf("%w: %s was replaced while it was read", gitcmd.ErrNotFound, name)
	}
	return nil
}

// linkOr says why something cannot be opened: os.Root refuses links that lead out.
func linkOr(root *os.Root, name string, err error) error {
	info, statErr := root.Lstat(name)
	var refused *fs.PathError
	switch {
	case statErr == nil && info.Mode()&fs.ModeSymlink != 0, errors.Is(err, syscall.ELOOP):
		return errLink(name)
	case errors.As(err, &refused) && refused.Err.Error() == "path escapes from parent": // os has no name for it
		return errLink(name)
	}
	return err
}

func errLink(name string) error {
	return fmt.Errorf("%w: %s is a symbolic link, and none is followed", gitcmd.ErrNotFound, name)
}
