package code

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"engram/facts"
	"engram/gitstore/internal/gitcmd"
)

// MaxNamedFile is how many bytes of a file of the work tree are read to name it.
const MaxNamedFile = 256 << 20

// WorkName is the name that git would give a file of the work tree as its bytes are,
// without holding them in memory. Paths are as those of WorkFile. The error wraps
// ErrNotFound, or ErrTooLarge beyond MaxNamedFile.
func (r *Reader) WorkName(ctx context.Context, path string) (name string, err error) {
	if err := facts.CheckPath(path); err != nil || r.repo.WorkTree == "" {
		return "", fmt.Errorf("%w: no file %.120q in the work tree", gitcmd.ErrNotFound, path)
	}
	err = r.below(path, func(root *os.Root, last string) (err error) {
		name, err = namePlain(ctx, root, last)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read %s in the work tree: %w", path, err)
	}
	return name, nil
}

func namePlain(ctx context.Context, root *os.Root, name string) (string, error) {
	f, opened, err := openPlain(root, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	size := opened.Size()
	if size > MaxNamedFile {
		return "", fmt.Errorf("%w: it has more than %d bytes", gitcmd.ErrTooLarge, MaxNamedFile)
	}
	sum := sha1.New() // #nosec G401
	fmt.Fprintf(sum, "blob %d\x00", size)
	read, err := io.Copy(sum, contextReader{ctx, io.LimitReader(f, size+1)})
	if err == nil && read != size {
		err = errors.New("it changed while it was read")
	}
	return hex.EncodeToString(sum.Sum(nil)), err
}

// contextReader reads until its context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.r.Read(p)
}
