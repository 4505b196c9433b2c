package repo

import (
	"errors"
)

var (
	// ErrNotRepository: the directory is in no git repository.
	ErrNotRepository = errors.New("not a git repository")
	// ErrBranchName: git would not take the name for a branch.
	ErrBranchName = errors.New("no name for a git branch")
	// ErrNoBranch: the memory branch does not exist.
	ErrNoBranch = errors.New("no memory branch")
	// ErrMoved: somebody else moved the branch first. Nothing was changed.
	ErrMoved = errors.New("the memory branch moved")
	// ErrShallow: what has to be known lies beyond the end of a shallow clone's history.
	ErrShallow = errors.New("the clone's history is cut off")
)
