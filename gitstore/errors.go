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
	// ErrShallow: what has to be known lies beyond the end of a shallow clone's history.
	ErrShallow = errors.New("the clone's history is cut off")
	// ErrNoRemote: the repository has no remote of that name.
	ErrNoRemote = errors.New("no such remote")
	// ErrEmptyRemote: the remote has no branch yet, and the first one that is
	// pushed would become what its clones begin with.
	ErrEmptyRemote = errors.New("the remote has no branch yet")
	// ErrRejected: the remote has commits that are not in our branch. Fetch,
	// merge, push again.
	ErrRejected = errors.New("the remote has commits that are missing here")
	// ErrRefused: the remote does not want the commits, by a rule of its own.
	ErrRefused = errors.New("the remote refused")
	// ErrUnreachable: there is no way to the remote, or nothing at its address.
	ErrUnreachable = errors.New("the remote cannot be reached")
	// ErrDenied: the remote wants to know who we are, or lets us in no further.
	ErrDenied = errors.New("the remote denies access")
	// ErrDamaged: the repository is broken where we had to read it.
	ErrDamaged = errors.New("the repository is damaged")
	// ErrIncomplete: the history is not all here, as in a shallow clone.
	ErrIncomplete = errors.New("the history is not all in this repository")
	// ErrClosed: the store was used after Close.
	ErrClosed = errors.New("the store is closed")
)
