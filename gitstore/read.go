package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"engram/facts"
)

// File is a file on the memory branch.
type File struct {
	Path string
	Blob string // the object's name, 40 hex digits
	Data []byte // nil where Err is set
	// Err wraps ErrTooLarge, or ErrNotFound where the object is missing from
	// the repository or the entry is no plain file. It concerns this file alone.
	Err error
}

// Get reads the file at path in a revision. The error wraps ErrNotFound or
// ErrTooLarge.
func (s *Store) Get(ctx context.Context, revision, path string) (File, error) {
	obj, err := s.cat.get(ctx, revision+":"+path, facts.MaxFile)
	if err != nil {
		return File{}, fmt.Errorf("read %s: %w", path, err)
	}
	if obj.kind != "blob" {
		return File{}, fmt.Errorf("read %s: %w: a %s stands there", path, ErrNotFound, obj.kind)
	}
	return File{Path: path, Blob: obj.name, Data: obj.data}, nil
}

// Blob reads an object by name. The error wraps ErrNotFound or ErrTooLarge.
func (s *Store) Blob(ctx context.Context, name string) ([]byte, error) {
	obj, err := s.cat.get(ctx, name, facts.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("read object %s: %w", name, err)
	}
	return obj.data, nil
}

// All yields every file of a revision whose path begins with prefix (""
// for all), in git's order of paths. A file that cannot be read comes with its
// own Err; an error of the iteration ends it.
func (s *Store) All(ctx context.Context, revision, prefix string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		entries, err := s.Files(ctx, revision, prefix)
		if err != nil {
			yield(File{}, err)
			return
		}
		for file, err := range s.ReadAll(ctx, entries) {
			if !yield(file, err) {
				return
			}
		}
	}
}

// Files lists the files of a revision whose path begins with prefix, without
// their content, in git's order of paths. Submodules and symbolic links come
// with an Err.
func (s *Store) Files(ctx context.Context, revision, prefix string) ([]File, error) {
	args := []string{"ls-tree", "-r", "-z", "--full-tree", revision}
	if at := strings.LastIndexByte(prefix, '/'); at > 0 {
		args = append(args, "--", prefix[:at])
	}
	out, err := run(ctx, s.gitDir, args...)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", revision, err)
	}
	files := make([]File, 0, strings.Count(out, "\x00"))
	for line := range strings.SplitSeq(out, "\x00") {
		meta, path, ok := strings.Cut(line, "\t") // mode SP type SP name TAB path
		fields := strings.Fields(meta)
		if !ok || len(fields) != 3 || !strings.HasPrefix(path, prefix) {
			continue
		}
		f := File{Path: path, Blob: fields[2]}
		if mode := fields[0]; mode != modeFile && mode != "100755" {
			f.Err = fmt.Errorf("%s: %w: it is no plain file (mode %s)", path, ErrNotFound, mode)
		}
		files = append(files, f)
	}
	return files, nil
}

// ReadAll yields the files with their content, in the order given. One git
// streams them all; the memory taken does not grow with their number.
func (s *Store) ReadAll(ctx context.Context, files []File) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		args := []string{"cat-file", "--batch", "--buffer"}
		cmd := command(ctx, s.gitDir, args...)
		cmd.Stdin = &nameReader{files: files}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		stdout, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			yield(File{}, failure(ctx, args, "", err))
			return
		}
		// Runs before cancel, which would turn an answer into a cancellation.
		finished := streamFiles(files, bufio.NewReaderSize(stdout, 256<<10), yield)
		if finished == nil {
			if err := cmd.Wait(); err != nil {
				yield(File{}, failure(ctx, args, stderr.String(), err))
			}
			return
		}
		if errors.Is(finished, errStopped) {
			cancel()
			_ = cmd.Wait()
			return
		}
		waitErr := cmd.Wait()
		yield(File{}, failure(ctx, args, stderr.String(), errors.Join(finished, waitErr)))
	}
}

var errStopped = errors.New("the reader wants no more")

func streamFiles(files []File, r *bufio.Reader, yield func(File, error) bool) error {
	for _, f := range files {
		if f.Err == nil {
			obj, err := readObject(r, f.Blob, facts.MaxFile)
			switch {
			case err == nil:
				f.Data = obj.data
			case errors.Is(err, ErrNotFound), errors.Is(err, ErrTooLarge):
				f.Err = fmt.Errorf("%s: %w", f.Path, err)
			default:
				return err
			}
		}
		if !yield(f, nil) {
			return errStopped
		}
	}
	return nil
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
