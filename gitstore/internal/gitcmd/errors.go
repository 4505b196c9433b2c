package gitcmd

import "errors"

// OwnershipError is a repository that belongs to another user, which git does not open
// unless safe.directory names it.
type OwnershipError struct {
	Path string // as git names it; "" of a remote, whose words are not trusted
}

func (e *OwnershipError) Error() string {
	if e.Path == "" {
		return "git does not open a repository that belongs to another user"
	}
	return "git does not open " + e.Path + ", which belongs to another user"
}

var (
	// ErrUnsupported: git's or engram's version does not know this repository's format.
	ErrUnsupported = errors.New("repository format not supported")
	// ErrNotFound: there is nothing at that path, or of that name.
	ErrNotFound = errors.New("not found")
	// ErrTooLarge: the object is larger than the limit.
	ErrTooLarge = errors.New("too large")
	// ErrLocked: a lock stayed taken for as long as we waited.
	ErrLocked = errors.New("locked")
	// ErrDamaged: an object or a reference of the repository is broken.
	ErrDamaged = errors.New("the repository is damaged")
	// ErrClosed: the store was used after Close.
	ErrClosed = errors.New("the store is closed")
)
