// Package journal keeps the log of a live session in files: lines that are durable when
// they were acknowledged, and the artifacts that they name. It knows lines as bytes.
//
//	log                      the lines
//	artifacts/<SHA-256 hex>  what was too large for a line
//	lock                     of writers, shared by those who look where the log ends
package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"engram/internal/atomicfile"
	"engram/internal/filelock"
)

// Journal is the log of one live session. It keeps nothing open, and any number of
// journals, in any number of processes, may be on one folder.
type Journal struct{ dir string }

// Open returns the journal in a folder, which need not exist yet.
func Open(dir string) *Journal { return &Journal{dir} }

// Artifact is content that lines name by its SHA-256, in hex.
type Artifact struct {
	Digest string
	Data   []byte
}

func (j *Journal) log() string { return filepath.Join(j.dir, "log") }

func (j *Journal) artifacts() string { return filepath.Join(j.dir, "artifacts") }

func (j *Journal) artifact(digest string) string { return filepath.Join(j.artifacts(), digest) }

func (j *Journal) lock(ctx context.Context, mode filelock.Mode) (release func() error, err error) {
	return filelock.Acquire(ctx, filepath.Join(j.dir, "lock"), mode)
}

// Append adds what more returns: first the artifacts that are missing, then the lines, in
// one piece. When it returns, they survive a power cut. more gets the last line of the
// log (nil if it has none) and the size of the log, and runs alone among the
// writers of the session. After an error the log is as it was.
func (j *Journal) Append(ctx context.Context, more func(last []byte, size int64) ([][]byte, []Artifact, error)) error {
	release, err := j.lock(ctx, filelock.Exclusive)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	f, err := j.open()
	if err != nil {
		return err
	}
	err = j.append(f, more)
	return errors.Join(err, f.Close())
}

// open opens the log. A new one has a durable name.
func (j *Journal) open() (*os.File, error) {
	f, err := os.OpenFile(j.log(), os.O_RDWR, 0)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if f, err = os.OpenFile(j.log(), os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, err
	}
	for folder, above := j.dir, 0; above < newFolders; folder, above = filepath.Dir(folder), above+1 {
		if err := syncFolder(folder); err != nil {
			return nil, errors.Join(fmt.Errorf("sync %s: %w", folder, err), f.Close())
		}
	}
	return f, nil
}

// newFolders is how many folders on the way to a log may be as new as it: those of the
// session, of the shard, of live sessions and of all, and the one that this is in.
const newFolders = 5

func (j *Journal) append(f *os.File, more func([]byte, int64) ([][]byte, []Artifact, error)) error {
	size, err := wholeLines(f)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.Name(), err)
	}
	if err := f.Truncate(size); err != nil { // a line whose writer died was never acknowledged
		return err
	}
	last, err := lastLine(f, size)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.Name(), err)
	}
	lines, artifacts, err := more(last, size)
	if err != nil || len(lines)+len(artifacts) == 0 {
		return err
	}
	var text bytes.Buffer
	for _, line := range lines {
		if len(line) == 0 || bytes.IndexByte(line, '\n') >= 0 {
			return fmt.Errorf("%w: %.80q", ErrLine, line)
		}
		text.Write(line)
		text.WriteByte('\n')
	}
	if err := j.keep(artifacts); err != nil {
		return err
	}
	_, err = f.WriteAt(text.Bytes(), size)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("append to %s: %w", f.Name(), err), f.Truncate(size))
	}
	return nil
}

// isDigest reports whether a text is the name of an artifact.
func isDigest(text string) bool {
	return len(text) == digestLength && strings.Trim(text, hexDigits) == ""
}

const (
	digestLength = 64
	hexDigits    = "0123456789abcdef"
)

// keep writes the artifacts that are missing, durably.
func (j *Journal) keep(artifacts []Artifact) error {
	if len(artifacts) == 0 {
		return nil
	}
	folder := j.artifacts()
	if err := os.Mkdir(folder, 0o755); err == nil {
		err = syncFolder(j.dir)
		if err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	for _, a := range artifacts {
		if !isDigest(a.Digest) {
			return fmt.Errorf("%q is not the name of an artifact", a.Digest)
		}
		if _, err := os.Lstat(j.artifact(a.Digest)); err == nil {
			continue
		}
		if err := atomicfile.Write(j.artifact(a.Digest), a.Data, 0o644, true); err != nil {
			return fmt.Errorf("write artifact %s: %w", a.Digest, err)
		}
	}
	return syncFolder(folder) // also for one whose writer died before it did
}

// Artifact reads an artifact. The error wraps fs.ErrNotExist if it is not, or no longer,
// in the journal.
func (j *Journal) Artifact(digest string) ([]byte, error) {
	if !isDigest(digest) {
		return nil, fmt.Errorf("%w: %q is not the name of an artifact", fs.ErrNotExist, digest)
	}
	return os.ReadFile(j.artifact(digest))
}

// tailStep is how much of the end of a log is read at a time.
const tailStep = 64 << 10

// wholeLines is the size of a log without a torn last line.
func wholeLines(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	at, err := lineStart(f, info.Size())
	return at, err
}

// lineStart is where the line begins that ends at end, exclusive.
func lineStart(f io.ReaderAt, end int64) (int64, error) {
	step := make([]byte, min(tailStep, end))
	for end > 0 {
		part := step[:min(int64(len(step)), end)]
		if _, err := f.ReadAt(part, end-int64(len(part))); err != nil {
			return 0, err
		}
		if at := bytes.LastIndexByte(part, '\n'); at >= 0 {
			return end - int64(len(part)) + int64(at) + 1, nil
		}
		end -= int64(len(part))
	}
	return 0, nil
}

// lastLine is the last line of a log of whole lines, without its end.
func lastLine(f io.ReaderAt, size int64) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	start, err := lineStart(f, size-1)
	if err != nil {
		return nil, err
	}
	line := make([]byte, size-1-start)
	_, err = f.ReadAt(line, start)
	return line, err
}

// ErrLine: a line that is empty, or is more than one, was to be appended.
var ErrLine = errors.New("not one line")
