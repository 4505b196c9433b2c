package gitstore

import (
	"errors"
)

var (
	// ErrCheckedOut: the branch is checked out in a work tree.
	ErrCheckedOut = errors.New("the memory branch is checked out")
	// ErrReadOnly: a source is not written to like the memory of this repository.
	ErrReadOnly = errors.New("a source is only read")
)
