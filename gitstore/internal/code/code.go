package code

import (
	"context"
	"fmt"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/history"
	"engram/gitstore/internal/repo"
)

// MaxCodeFile is how many bytes of one file of the code are read.
const MaxCodeFile = 8 << 20

// Reader reads the code of a repository: its branches, its commits and its work
// tree. It writes nothing.
type Reader struct {
	repo    *repo.Repo
	history *history.Reader
	reached *reachCache
}

// New returns a reader of the code in a repository.
func New(r *repo.Repo) *Reader {
	return &Reader{repo: r, history: history.New(r), reached: &reachCache{}}
}

// On is the same reader for a repository opened with another memory branch.
func (r *Reader) On(other *repo.Repo) *Reader {
	return &Reader{repo: other, history: history.New(other), reached: r.reached}
}

// CodeKind is what stands at a path of the code.
type CodeKind int

// The kinds.
const (
	CodeNone      CodeKind = iota // nothing
	CodeFile                      // a plain file, executable or not
	CodeLink                      // a symbolic link; it is never followed
	CodeSubmodule                 // another repository, at a commit
	CodeFolder
)

// Code is what stands at a path of the code in a commit.
type Code struct {
	Kind CodeKind
	Name string // of the object, 40 hex digits; of a submodule, the commit
}

// CodeAt is what stands at a path in a commit, which is named in full. The content is
// not read. The error wraps ErrNotFound where the commit is not in this repository, or is
// of a memory (ErrMemoryCommit).
func (r *Reader) CodeAt(ctx context.Context, commit, path string) (Code, error) {
	tree, err := r.codeTree(ctx, commit)
	if err != nil {
		return Code{}, fmt.Errorf("look up %s: %w", path, err)
	}
	// A name may stand for a folder or for something else, never both.
	e, found, err := r.repo.EntryIn(ctx, tree, path, false)
	if err == nil && !found {
		e, found, err = r.repo.EntryIn(ctx, tree, path, true)
	}
	if err != nil || !found {
		return Code{}, err
	}
	return codeOf(e), nil
}

// CodeBlob reads a file of the code by the name of its object. The error wraps
// ErrNotFound, also where a partial clone left it to its remote, or ErrTooLarge beyond MaxCodeFile.
func (r *Reader) CodeBlob(ctx context.Context, name string) ([]byte, error) {
	obj, err := r.repo.Code.Small(ctx, name, "blob", MaxCodeFile)
	err = gitcmd.Left(err)
	if err != nil {
		return nil, fmt.Errorf("read object %s: %w", name, err)
	}
	return obj.Data, nil
}
