package gitstore

import "errors"

// What can be wrong with a repository or branch. Errors of this package wrap
// one of them where a caller can do something about it.
var (
	// ErrNotRepository: the directory is in no git repository.
	ErrNotRepository = errors.New("not a git repository")
	// ErrUnsupported: git's or engram's version does not know this repository's format.
	ErrUnsupported = errors.New("repository format not supported")
	// ErrBranchName: git would not take the name for a branch.
	ErrBranchName = errors.New("no name for a git branch")
	// ErrNoBranch: the memory branch does not exist.
	ErrNoBranch = errors.New("no memory branch")
	// ErrNotFound: nothing stands at that path or name.
	ErrNotFound = errors.New("not found")
	// ErrTooLarge: what stands there is larger than any fact.
	ErrTooLarge = errors.New("too large")
	// ErrMoved: somebody else moved the branch first. Nothing was changed.
	ErrMoved = errors.New("the memory branch moved")
	// ErrLocked: a lock stayed taken for as long as we waited.
	ErrLocked = errors.New("locked")
	// ErrCheckedOut: the branch is checked out in a work tree.
	ErrCheckedOut = errors.New("the memory branch is checked out")
	// ErrNoIdentity: git knows no name and email to commit under.
	ErrNoIdentity = errors.New("git has no identity configured")
	// ErrSigning: git could not sign the commit.
	ErrSigning = errors.New("the commit could not be signed")
	// ErrClash: a path differs only by case from one that exists, or a folder
	// stands where a file belongs.
	ErrClash = errors.New("path clashes with another")
	// ErrDamaged: the repository is broken where we had to read it.
	ErrDamaged = errors.New("the repository is damaged")
	// ErrClosed: the store was used after Close.
	ErrClosed = errors.New("the store is closed")
)
