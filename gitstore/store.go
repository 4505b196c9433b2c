package gitstore

import (
	"cmp"
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"engram/gitstore/internal/code"
	"engram/gitstore/internal/commit"
	"engram/gitstore/internal/history"
	"engram/gitstore/internal/remote"
	"engram/gitstore/internal/repo"
	"engram/gitstore/internal/source"
	"engram/gitstore/internal/thread"
)

// Options are the settings of Open; the zero value is the default.
type Options struct {
	Branch string           // memory branch without refs/heads/; "" means DefaultBranch
	Now    func() time.Time // the clock for commit dates; nil means time.Now
	Logger *slog.Logger     // nil discards
	// Prompt lets git and ssh ask for a password on the terminal. Without it they
	// fail with ErrDenied.
	Prompt bool
	// SigningTime bounds the signing of a commit; 0 means 30 seconds.
	SigningTime time.Duration
	// Guard looks at messages, and at names and emails of who commits.
	Guard Guard
}

// Store is one repository with its memory branch. It is safe for concurrent
// use. Close it: it keeps git processes running between calls.
//
// Its methods that read the branch's history and the code, and those about remotes,
// sources and sessions, are those of the packages below; what moves the branch is here.
type Store struct {
	*historyReader
	*codeReader
	*remoteClient
	*sourceSet
	*threadKeeper

	repo     *repo.Repo
	commits  *commit.Writer
	stateDir string // "" in the common directory, as for the memory branch
	view     bool   // made by OnRef: read only, on the processes of another store
	now      func() time.Time
}

// The parts of a Store, by names that do not show outside.
type (
	historyReader = history.Reader
	codeReader    = code.Reader
	remoteClient  = remote.Client
	sourceSet     = source.Set
	threadKeeper  = thread.Keeper
)

// Open finds the repository that dir is in: from any folder of a work tree,
// linked ones included, or from a bare repository. It does not need the memory
// branch to exist. The error wraps ErrNotRepository or ErrUnsupported.
func Open(ctx context.Context, dir string, opts *Options) (*Store, error) {
	opts = cmp.Or(opts, &Options{})
	now := opts.Now
	if now == nil {
		now = time.Now
	}
	r, err := repo.Open(ctx, dir, cmp.Or(opts.Branch, DefaultBranch), cmp.Or(opts.Logger, slog.New(slog.DiscardHandler)))
	if err != nil {
		return nil, err
	}
	s := &Store{
		historyReader: history.New(r), codeReader: code.New(r), remoteClient: remote.New(r, opts.Prompt),
		repo: r, commits: commit.New(r, now, opts.SigningTime).Guarded(opts.Guard), now: now,
	}
	s.sourceSet = source.New(r, s.remoteClient, s.commits)
	s.threadKeeper = thread.New(r, s.commits, s.remoteClient, s.maintain)
	return s, nil
}

// on is the same store over a repository opened with another branch.
func (s *Store) on(r *repo.Repo) *Store {
	other := &Store{
		historyReader: history.New(r), codeReader: s.codeReader.On(r), remoteClient: s.remoteClient.On(r),
		repo: r, commits: s.commits.On(r), stateDir: s.stateDir, view: s.view, now: s.now,
	}
	other.sourceSet = s.sourceSet.On(r, other.remoteClient, other.commits)
	other.threadKeeper = thread.New(r, other.commits, other.remoteClient, other.maintain)
	return other
}

// Beside opens another branch of the same repository. The two share everything
// but the branch, the lock of writers included. Close it, too.
func (s *Store) Beside(branch string) (*Store, error) {
	r, err := s.repo.Beside(branch)
	if err != nil {
		return nil, err
	}
	return s.on(r), nil
}

// OnRef is a view of the same repository with another reference, in full, in the
// place of the memory branch, to be read: Apply, Update and BeginAt refuse with
// ErrReadOnly. It shares the git processes of s, so it need not be closed and
// ends with s. name is what messages call it, stateDir what StateDir returns.
func (s *Store) OnRef(ref, name, stateDir string) *Store {
	other := s.on(s.repo.OnRef(ref, name))
	other.stateDir, other.view = stateDir, true
	return other
}

// Close ends the git processes of the store, after the call that each of them
// is busy with. Later calls fail with ErrClosed.
func (s *Store) Close() error {
	if s.view {
		return nil
	}
	return s.repo.Close()
}

// Warm prepares a write in the background while the caller waits for something
// else, such as a remote.
func (s *Store) Warm(ctx context.Context) {
	go func() { _, _ = s.commits.Identity(ctx) }()
	go s.repo.Refs.Warm(ctx)
}

// Branch is the name of the memory branch, without refs/heads/; of a view, the
// name that it was given.
func (s *Store) Branch() string { return s.repo.Branch }

// CommonDir is the git directory that all work trees of the repository share.
func (s *Store) CommonDir() string { return s.repo.CommonDir }

// StateDir is the folder for local, derived state; it is safe to delete.
func (s *Store) StateDir() string {
	if s.stateDir != "" {
		return s.stateDir
	}
	return filepath.Join(s.repo.CommonDir, "engram")
}

// WorkTree is the top folder of the work tree, or "" if there is none.
func (s *Store) WorkTree() string { return s.repo.WorkTree }
