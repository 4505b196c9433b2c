package repo

import (
	"context"
	"fmt"
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
// own Err; an error of the iteration ends it.
func (r *Repo) All(ctx context.Context, revision, prefix string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		entries, err := r.Files(ctx, revision, prefix)
		if err != nil {
			yield(File{}, err)
			return
		}
		for file, err := range r.ReadAll(ctx, entries) {
			if !yield(file, err) {
				return
			}
		}
	}
}

// Files lists the files of a revision whose path begins with prefix, without
// their content, in git's order of paths. Submodules and symbolic links come
// with an Err.
func (r *Repo) Files(ctx context.Context, revision, prefix string) ([]File, error) {
	if err := gitcmd.CheckRevision(revision); err != nil {
		return nil, err
	}
	args := []string{"ls-tree", "-r", "-z", "--full-tree", revision}
	if at := strings.LastIndexByte(prefix, '/'); at > 0 {
		args = append(args, "--", prefix[:at])
	}
	out, err := gitcmd.Run(ctx, r.CommonDir, args...)
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
		if mode := fields[0]; mode != object.ModeFile && mode != object.ModeExecutable {
			f.Err = fmt.Errorf("%s: %w: not a regular file (mode %s)", path, gitcmd.ErrNotFound, mode)
		}
		files = append(files, f)
	}
	return files, nil
}
