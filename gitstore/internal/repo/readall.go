package repo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"engram/facts"
	"engram/gitstore/internal/gitcmd"
)

// maxDamaged is the largest number of objects that git fails on and that are
// skipped. If there are more, the damage is not limited to single files.
const maxDamaged = 32

// ReadAll is ReadUpTo for facts.
func (r *Repo) ReadAll(ctx context.Context, files []File) iter.Seq2[File, error] {
	return r.ReadUpTo(ctx, files, facts.MaxFile)
}

// ReadUpTo yields the files with their content, in the order given; one of more than
// limit bytes has an Err. One git streams them all; the memory taken does not grow with
// their number. It may be called for any number of files, and ranged over once or more.
func (r *Repo) ReadUpTo(ctx context.Context, files []File, limit int64) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		rest := files
		for damaged := 0; ; damaged++ {
			read, err := r.stream(ctx, rest, limit, yield)
			if err == nil || errors.Is(err, errStopped) {
				return
			}
			rest = rest[read:]
			var said *gitcmd.Error
			if ctx.Err() != nil || len(rest) == 0 || damaged == maxDamaged || !errors.As(err, &said) {
				yield(File{}, err)
				return
			}
			// git gives up at an object that it cannot unpack, and the answers
			// behind it are lost: note it, and go on with another git.
			broken := rest[0]
			broken.Err = fmt.Errorf("%s: %w: %w", broken.Path, gitcmd.ErrDamaged, err)
			if !yield(broken, nil) {
				return
			}
			rest = rest[1:]
		}
	}
}

var errStopped = errors.New("the caller stopped the iteration")

// stream yields files until one cannot be had, and returns how many it did.
func (r *Repo) stream(ctx context.Context, files []File, limit int64, yield func(File, error) bool) (read int, err error) {
	streaming, cancel := context.WithCancel(ctx)
	defer cancel()
	args := []string{"cat-file", "--batch", "--buffer"}
	cmd := gitcmd.Command(streaming, r.CommonDir, args...)
	cmd.Stdin = &nameReader{files: files}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return 0, gitcmd.Failure(ctx, args, "", err)
	}
	ended := false
	defer func() {
		if !ended { // the reader stopped, or panicked: leave no process behind
			cancel()
			_ = cmd.Wait()
		}
	}()
	if read, err = streamFiles(stdout, files, limit, yield); errors.Is(err, errStopped) {
		return read, err
	}
	ended = true
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		cancel() // git lives, but what it says makes no sense
	}
	if waitErr := cmd.Wait(); waitErr != nil {
		err = waitErr
	}
	if err != nil {
		err = gitcmd.Failure(ctx, args, stderr.String(), err)
	}
	return read, err
}

func streamFiles(stdout io.Reader, files []File, limit int64, yield func(File, error) bool) (read int, err error) {
	r := bufio.NewReaderSize(stdout, 256<<10)
	for ; read < len(files); read++ {
		file, err := readFile(r, files[read], limit)
		if err != nil {
			return read, err
		}
		if !yield(file, nil) {
			return read, errStopped
		}
	}
	return read, nil
}

// readFile reads the answer for one file, if one was asked for.
func readFile(r *bufio.Reader, f File, limit int64) (File, error) {
	if f.Err != nil {
		return f, nil
	}
	obj, err := gitcmd.ReadObject(r, f.Blob, gitcmd.Question{Limit: limit})
	switch {
	case errors.Is(err, gitcmd.ErrNotFound), errors.Is(err, gitcmd.ErrTooLarge):
		f.Err = fmt.Errorf("%s: %w", f.Path, err)
		return f, nil
	case err == nil && obj.Kind != "blob":
		f.Err = fmt.Errorf("%s: %w: the object is a %s", f.Path, gitcmd.ErrNotFound, obj.Kind)
		return f, nil
	}
	f.Data = obj.Data
	return f, err
}

// nameReader feeds the objects' names to git without holding them twice.
type nameReader struct {
	files []File
	rest  string
}

func (r *nameReader) Read(p []byte) (int, error) {
	for r.rest == "" {
		if len(r.files) == 0 {
			return 0, io.EOF
		}
		if r.files[0].Err == nil {
			r.rest = r.files[0].Blob + "\n"
		}
		r.files = r.files[1:]
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
