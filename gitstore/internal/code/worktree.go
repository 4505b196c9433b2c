package code

import (
	"bytes"
	"context"
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
	"engram/gitstore/internal/object"
)

// WorkFile reads a file of the work tree as it is, of at most MaxCodeFile bytes. The
// path is relative to the top, with forward slashes. No symbolic link is followed,
// neither in the path nor at its end, even if one is put there at the same time;
// nothing outside the work tree and nothing of git's own is read. The error wraps
// ErrNotFound, also if the path is not a regular file, or
// ErrTooLarge.
func (r *Reader) WorkFile(path string) ([]byte, error) {
	if r.repo.WorkTree == "" {
		return nil, fmt.Errorf("%w: this repository has no work tree", gitcmd.ErrNotFound)
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

// below goes down folder by folder, so that each folder is checked, and calls then for
// the last name of the path.
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

// folderBelow opens a folder. os.Root follows links that stay inside. To exclude them,
// the name is looked up again after opening, without following links, and has to be the
// folder that is open.
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
			err = fmt.Errorf("%w: it is in git's own directory", gitcmd.ErrNotFound)
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
		err = fmt.Errorf("%w: not a regular file", gitcmd.ErrNotFound)
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

// sameAs returns an error if a name no longer refers to the file that was opened by it.
func sameAs(root *os.Root, name string, opened fs.FileInfo) error {
	info, err := root.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return errLink(name)
	}
	if !os.SameFile(info, opened) {
		return fmt.Errorf("%w: %s was replaced while being read", gitcmd.ErrNotFound, name)
	}
	return nil
}

// linkOr describes why a name cannot be opened: os.Root rejects links that lead out.
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
	return fmt.Errorf("%w: %s is a symbolic link; links are not followed", gitcmd.ErrNotFound, name)
}

// WorkKind returns the entry at a path of the work tree; links are not followed. Only a
// link has a Name, which is that of the blob that git stores for it.
func (r *Reader) WorkKind(path string) (Code, error) {
	if err := facts.CheckPath(path); err != nil || r.repo.WorkTree == "" {
		return Code{}, nil
	}
	var code Code
	err := r.below(path, func(root *os.Root, name string) error {
		info, err := root.Lstat(name)
		if err != nil {
			return err
		}
		switch {
		case info.IsDir():
			code.Kind = CodeFolder
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := root.Readlink(name)
			code = Code{CodeLink, r.repo.Objects.Format.BlobName([]byte(target))}
			return err
		case info.Mode().IsRegular():
			code.Kind = CodeFile
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, gitcmd.ErrNotFound) {
		return Code{}, nil
	}
	if err != nil {
		return Code{}, fmt.Errorf("look at %s in the work tree: %w", path, err)
	}
	return code, nil
}

// MaxNamedFile is how many bytes of a file of the work tree are read to name it.
const MaxNamedFile = 256 << 20

// WorkName returns the object name of the bytes of a file of the work tree, without
// holding them in memory. Paths are as those of WorkFile. The error wraps
// ErrNotFound, or ErrTooLarge beyond MaxNamedFile.
func (r *Reader) WorkName(ctx context.Context, path string) (name string, err error) {
	if err := facts.CheckPath(path); err != nil || r.repo.WorkTree == "" {
		return "", fmt.Errorf("%w: no file %.120q in the work tree", gitcmd.ErrNotFound, path)
	}
	err = r.below(path, func(root *os.Root, last string) (err error) {
		name, err = namePlain(ctx, r.repo.Objects.Format, root, last)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read %s in the work tree: %w", path, err)
	}
	return name, nil
}

func namePlain(ctx context.Context, format object.Format, root *os.Root, name string) (string, error) {
	f, opened, err := openPlain(root, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	size := opened.Size()
	if size > MaxNamedFile {
		return "", fmt.Errorf("%w: it has more than %d bytes", gitcmd.ErrTooLarge, MaxNamedFile)
	}
	sum := format.New()
	fmt.Fprintf(sum, "blob %d\x00", size)
	limited := io.LimitReader(f, size+1)
	read, err := io.Copy(sum, readerFunc(func(p []byte) (int, error) {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		return limited.Read(p)
	}))
	if err == nil && read != size {
		err = errors.New("it changed while being read")
	}
	return object.Hash(sum.Sum(nil)).String(), err
}

// readerFunc is a function that reads.
type readerFunc func(p []byte) (int, error)

// Read calls the function.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
