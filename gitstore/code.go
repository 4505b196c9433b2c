package gitstore

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
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
// not read. The error wraps ErrNotFound where the commit is not in this repository.
func (s *Store) CodeAt(ctx context.Context, commit, path string) (Code, error) {
	tree, err := s.rootTree(ctx, commit)
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

var commitName = regexp.MustCompile(`^[0-9a-f]{7,40}$`)

// CommitOf is the full name of a commit that is given by 7 to 40 digits of it. The
// error wraps ErrNotFound where none, or more than one, has them here: it was never
// fetched, lies beyond the end of a shallow clone, or was rebased away and pruned.
func (s *Store) CommitOf(ctx context.Context, digits string) (string, error) {
	if !commitName.MatchString(digits) {
		return "", fmt.Errorf("%w: %.60q is no name of a commit", ErrNotFound, digits)
	}
	obj, err := s.code.get(ctx, digits+"^{commit}", maxCommit)
	err = left(err)
	if errors.Is(err, ErrNotFound) {
		return "", fmt.Errorf("%w: no commit %s in this repository", ErrNotFound, digits)
	}
	if err != nil {
		return "", fmt.Errorf("look up commit %s: %w", digits, err)
	}
	if !strings.HasPrefix(obj.name, digits) { // a branch or tag has a name like that
		return "", fmt.Errorf("%w: no commit %s in this repository", ErrNotFound, digits)
	}
	return obj.name, nil
}
