package repo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"engram/facts"
	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// File is a file on the memory branch.
type File struct {
	Path string
	Blob string // the object's name, 40 hex digits
	Data []byte // nil if Err is set
	// Err wraps ErrTooLarge, ErrDamaged, or ErrNotFound if the object is
	// missing from the repository or the entry is not a regular file. It concerns
	// this file alone.
	Err error
}

// Get reads the file at path in a revision. The error wraps ErrNotFound or
// ErrTooLarge.
func (r *Repo) Get(ctx context.Context, revision, path string) (File, error) {
	name, err := r.BlobAt(ctx, revision, path)
	if err == nil && name == "" {
		err = fmt.Errorf("%w: there is no regular file at this path", gitcmd.ErrNotFound)
	}
	if err != nil {
		return File{}, fmt.Errorf("read %s: %w", path, err)
	}
	data, err := r.Blob(ctx, name)
	if err != nil {
		return File{}, fmt.Errorf("read %s: %w", path, err)
	}
	return File{Path: path, Blob: name, Data: data}, nil
}

// Blob reads an object by name. The error wraps ErrNotFound or ErrTooLarge.
func (r *Repo) Blob(ctx context.Context, name string) ([]byte, error) {
	obj, err := r.Cat.Get(ctx, name, facts.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("read object %s: %w", name, err)
	}
	return obj.Data, nil
}

// Blobs reads objects by name, many in one round trip to git. An object
// that is missing, or larger than any fact, is nil; the others are still returned.
func (r *Repo) Blobs(ctx context.Context, names []string) ([][]byte, error) {
	blobs := make([][]byte, 0, len(names))
	for part := range slices.Chunk(names, gitcmd.MaxSpecs) {
		answers, err := r.Cat.GetAll(ctx, part, facts.MaxFile)
		if err != nil {
			return nil, fmt.Errorf("read objects: %w", err)
		}
		for _, a := range answers {
			if a.Err != nil {
				a.Data = nil
			}
			blobs = append(blobs, a.Data)
		}
	}
	return blobs, nil
}

// All yields every file of a revision whose path begins with prefix (""
// for all), in git's order of paths. A file that cannot be read comes with its
// own Err; an error of the iteration ends it. What is read ahead of the caller grows with
// what the caller has taken, so the first files of a large tree come at once.
func (r *Repo) All(ctx context.Context, revision, prefix string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		var some []File
		most := 64
		read := func() bool {
			for file, err := range r.ReadAll(ctx, some) {
				if !yield(file, err) || err != nil {
					return false
				}
			}
			some, most = some[:0], min(2*most, 1<<14)
			return true
		}
		for file, err := range r.Names(ctx, revision, prefix) {
			if err != nil {
				yield(File{}, err)
				return
			}
			if some = append(some, file); len(some) == most && !read() {
				return
			}
		}
		if len(some) > 0 {
			read()
		}
	}
}

// Files lists the files of a revision whose path begins with prefix, without
// their content, in git's order of paths. Submodules and symbolic links come
// with an Err.
func (r *Repo) Files(ctx context.Context, revision, prefix string) (files []File, err error) {
	for file, err := range r.Names(ctx, revision, prefix) {
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// Names yields what Files lists, while git lists it.
func (r *Repo) Names(ctx context.Context, revision, prefix string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		if err := gitcmd.CheckRevision(revision); err != nil {
			yield(File{}, err)
			return
		}
		args := []string{"ls-tree", "-r", "-z", "--full-tree", revision}
		if at := strings.LastIndexByte(prefix, '/'); at > 0 {
			args = append(args, "--", prefix[:at])
		}
		listing, cancel := context.WithCancel(ctx)
		defer cancel()
		cmd, ended, stopped := gitcmd.Command(listing, r.CommonDir, args...), false, false
		defer func() {
			if !ended && cmd.Process != nil { // the caller stopped, or panicked: leave no process behind
				cancel()
				_ = cmd.Wait()
			}
		}()
		err := gitcmd.Pipe(ctx, cmd, args, func(out *bufio.Reader) error {
			for {
				line, err := out.ReadSlice(0)
				if err != nil {
					ended = true // Pipe waits for it
					return err
				}
				file, ok := fileOf(line[:len(line)-1])
				if ok && strings.HasPrefix(file.Path, prefix) && !yield(file, nil) {
					cancel()
					ended, stopped = true, true
					return nil
				}
			}
		})
		if err != nil && !stopped && !errors.Is(err, io.EOF) {
			yield(File{}, fmt.Errorf("list %s: %w", revision, err))
		}
	}
}

// fileOf reads "mode SP type SP name TAB path".
func fileOf(line []byte) (f File, ok bool) {
	meta, path, ok := bytes.Cut(line, []byte("\t"))
	mode, rest, _ := bytes.Cut(meta, []byte(" "))
	_, name, named := bytes.Cut(rest, []byte(" "))
	if !ok || !named {
		return f, false
	}
	f = File{Path: string(path), Blob: string(name)}
	if mode := string(mode); mode != object.ModeFile && mode != object.ModeExecutable {
		f.Err = fmt.Errorf("%s: %w: not a regular file (mode %s)", f.Path, gitcmd.ErrNotFound, mode)
	}
	return f, true
}
