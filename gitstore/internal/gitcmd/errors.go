package gitcmd

import (
	"errors"
)

var (
	// ErrUnsupported: git's or engram's version does not know this repository's format.
	ErrUnsupported = errors.New("repository format not supported")
	// ErrNotFound: nothing stands at that path or name.
	ErrNotFound = errors.New("not found")
	// ErrTooLarge: what stands there is larger than any fact.
	ErrTooLarge = errors.New("too large")
	// ErrLocked: a lock stayed taken for as long as we waited.
	ErrLocked = errors.New("locked")
	// ErrDamaged: the repository is broken where we had to read it.
	ErrDamaged = errors.New("the repository is damaged")
	// ErrClosed: the store was used after Close.
	ErrClosed = errors.New("the store is closed")
)
