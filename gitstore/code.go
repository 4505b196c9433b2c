package gitstore

import (
	"context"
	"fmt"
)

// MaxCodeFile is how many bytes of one file of the code are read.
const MaxCodeFile = 8 << 20

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
func (s *Store) CodeAt(ctx context.Context, commit, path string) (Code, error) {
	tree, err := s.codeTree(ctx, commit)
	if err != nil {
		return Code{}, fmt.Errorf("look up %s: %w", path, err)
	}
	// A name may stand for a folder or for something else, never both.
	e, found, err := s.entryIn(ctx, tree, path, false)
	if err == nil && !found {
		e, found, err = s.entryIn(ctx, tree, path, true)
	}
	if err != nil || !found {
		return Code{}, err
	}
	return e.code(), nil
}

// CodeBlob reads a file of the code by the name of its object. The error wraps
// ErrNotFound, also where a partial clone left it to its remote, or ErrTooLarge beyond MaxCodeFile.
func (s *Store) CodeBlob(ctx context.Context, name string) ([]byte, error) {
	obj, err := s.code.small(ctx, name, "blob", MaxCodeFile)
	err = left(err)
	if err != nil {
		return nil, fmt.Errorf("read object %s: %w", name, err)
	}
	return obj.data, nil
}
