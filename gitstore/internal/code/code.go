// Package code reads the user's code: branches, commits, the work tree, and whether
// the work of a branch has landed. It writes nothing, and it never reads a commit of a
// memory.
package code

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/history"
	"engram/gitstore/internal/object"
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

// CodeKind is the kind of a path in the code.
type CodeKind int

// The kinds.
const (
	CodeNone      CodeKind = iota // nothing
	CodeFile                      // a plain file, executable or not
	CodeLink                      // a symbolic link; it is never followed
	CodeSubmodule                 // another repository, at a commit
	CodeFolder
)

// Code is the entry at a path of the code in a commit.
type Code struct {
	Kind CodeKind
	Name string // of the object, 40 hex digits; of a submodule, the commit
}

// CodeAt returns the entry at a path in a commit, given by its full name. The content
// is not read. The error wraps ErrNotFound if the commit is not in this repository, or
// belongs to a memory (ErrMemoryCommit).
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
// ErrNotFound, also if a partial clone did not fetch the object, or ErrTooLarge beyond
// MaxCodeFile.
func (r *Reader) CodeBlob(ctx context.Context, name string) ([]byte, error) {
	obj, err := r.repo.Code.Small(ctx, name, "blob", MaxCodeFile)
	err = gitcmd.Left(err)
	if err != nil {
		return nil, fmt.Errorf("read object %s: %w", name, err)
	}
	return obj.Data, nil
}

// CodeEntry is something in a folder of the code.
type CodeEntry struct {
	Code
	Path string // its name in the folder
}

// CodeFolder lists a folder of the code by the name of its object (CodeAt), in git's
// order. The error wraps ErrNotFound or ErrTooLarge.
func (r *Reader) CodeFolder(ctx context.Context, name string) ([]CodeEntry, error) {
	entries, err := r.repo.Tree(ctx, name)
	if err != nil {
		return nil, err
	}
	list := make([]CodeEntry, len(entries))
	for i, e := range entries {
		list[i] = CodeEntry{codeOf(e), e.Name}
	}
	return list, nil
}

// codeOf converts an entry of a tree.
func codeOf(e object.Entry) Code {
	code := Code{CodeFile, e.Hash.String()}
	switch {
	case e.Folder():
		code.Kind = CodeFolder
	case strings.HasPrefix(e.Mode, "12"):
		code.Kind = CodeLink
	case strings.HasPrefix(e.Mode, "16"):
		code.Kind = CodeSubmodule
	}
	return code
}

// Shallow reports whether the history is cut off, so that a commit may be missing.
func (r *Reader) Shallow() bool { return repo.Exists(filepath.Join(r.repo.CommonDir, "shallow")) }

// RootFolder is the name of the folder that holds all of a commit of the code, which is
// named in full.
func (r *Reader) RootFolder(ctx context.Context, commit string) (string, error) {
	return r.codeTree(ctx, commit)
}
