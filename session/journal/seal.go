package journal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"engram/internal/filelock"
)

// Seal hands the lines of the log to a function that stores them elsewhere, and removes
// as many of the first bytes as that returns, with the artifacts that no line names any
// more. Writers wait meanwhile. Whatever fails or dies in between, the log is as
// it was or without those lines: so the function may be called again with lines that it has
// stored. It is not called if there are no lines.
func (j *Journal) Seal(ctx context.Context, store func(lines iter.Seq2[[]byte, error], artifact func(digest string) ([]byte, error)) (done int64, err error)) error {
	if _, err := os.Lstat(j.dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	release, err := j.lock(ctx, filelock.Exclusive)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	f, err := os.Open(j.log())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := wholeLines(f)
	if err != nil || size == 0 {
		return err
	}
	done, err := store(linesOf(ctx, f, 0, size), j.Artifact)
	if err != nil || done == 0 {
		return err
	}
	if start, err := lineStart(f, min(max(done, 0), size)); err != nil || start != done {
		return errors.Join(err, fmt.Errorf("%d of %d bytes of %s were stored, which are no whole lines", done, size, f.Name()))
	}
	if err := j.cut(f, done, size); err != nil {
		return fmt.Errorf("remove what was stored from %s: %w", f.Name(), err)
	}
	return nil
}

// cut leaves the log with what is between done and size, and the artifacts named there.
func (j *Journal) cut(f *os.File, done, size int64) error {
	// What goes in the end: until the log is durably without those lines, it may be asked for.
	unnamed, err := j.kept()
	if err != nil {
		return err
	}
	if done == size {
		err = os.Remove(j.log())
	} else {
		for line, err := range linesOf(context.Background(), f, done, size) {
			if err != nil {
				return err
			}
			dropNamed(unnamed, line)
		}
		err = j.replace(io.NewSectionReader(f, done, size-done))
	}
	if err != nil {
		return err
	}
	if err := syncFolder(j.dir); err != nil {
		return err
	}
	filelock.Sweep(j.log())
	for digest := range unnamed {
		if err := os.Remove(j.artifact(digest)); err != nil {
			return err
		}
	}
	return nil
}

// kept are the names of the files in the folder of artifacts.
func (j *Journal) kept() (map[string]bool, error) {
	files, err := os.ReadDir(j.artifacts())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	all := make(map[string]bool, len(files))
	for _, file := range files {
		all[file.Name()] = true
	}
	return all, nil
}

// dropNamed removes the artifacts that a line names from a set.
func dropNamed(set map[string]bool, line []byte) {
	digits := 0 // how many stand before at
	for at, c := range line {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'f' {
			digits++
		} else {
			digits = 0
		}
		if digits >= digestLength {
			delete(set, string(line[at+1-digestLength:at+1]))
		}
	}
}

// replace makes the log, in one step, what r has.
func (j *Journal) replace(r io.Reader) error {
	f, err := os.CreateTemp(j.dir, ".log.*")
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), j.log())
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// ReadAll yields the lines that the log has at this moment. Writers wait only until it is
// known where the log ends, not until it was read. What is sealed meanwhile is
// still yielded, but its artifacts may be gone.
func (j *Journal) ReadAll(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		f, size, err := j.snapshot(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		if f == nil {
			return
		}
		defer f.Close()
		linesOf(ctx, f, 0, size)(yield)
	}
}

// snapshot is the log, and where its last acknowledged line ends. The log is nil if there
// is none.
func (j *Journal) snapshot(ctx context.Context) (*os.File, int64, error) {
	if _, err := os.Lstat(j.log()); errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	release, err := j.lock(ctx, filelock.Shared)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = release() }()
	f, err := os.Open(j.log())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	size, err := wholeLines(f)
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, size, nil
}

// linesOf yields the lines between two places of a log, each of which may be kept.
func linesOf(ctx context.Context, f io.ReaderAt, from, to int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		r := bufio.NewReaderSize(io.NewSectionReader(f, from, to-from), tailStep)
		for {
			line, err := r.ReadBytes('\n')
			if err == io.EOF {
				return
			}
			if err == nil && ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(line[:len(line)-1], nil) {
				return
			}
		}
	}
}
