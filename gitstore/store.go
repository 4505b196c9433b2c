package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// DefaultBranch is the memory branch where nobody chose another.
const DefaultBranch = "engram"

// Options are the settings of a store; the zero value is the default.
type Options struct {
	Branch string           // memory branch without refs/heads/; "" means DefaultBranch
	Now    func() time.Time // the clock for commit dates; nil means time.Now
	Logger *slog.Logger     // nil discards
	// Prompt: somebody sits at the terminal, so that git and ssh may ask for a
	// password there. Without it they fail instead, with ErrDenied.
	Prompt bool
	// SigningTime bounds the signing of a commit; 0 means 30 seconds.
	SigningTime time.Duration
}

// Store is one repository with its memory branch. It is safe for concurrent
// use. Close it: it keeps git processes running between calls.
type Store struct {
	branch    string
	ref       string
	gitDir    string
	commonDir string
	objects   string
	workTree  string // "" in a bare repository or inside a git directory
	bare      bool
	prompt    bool
	stateDir  string // "" in the common directory, as for the memory branch
	view      bool   // made by OnRef: read only, on the processes of another store
	now       func() time.Time
	signing   time.Duration
	log       *slog.Logger

	cat     *catFile
	code    *catFile // reads the code; cat, but in a partial clone
	refs    *refUpdater
	trees   treeCache
	who     *identityCache
	sources *sourceCache
	reached *reachCache
	// checked are names that were remotes when somebody last looked.
	checked sync.Map
	// durable are revisions that Fetch brought, each with the one before it: what
	// the former has and the latter has not is synced.
	durable sync.Map
}

// Open finds the repository that dir is in: from any folder of a work tree,
// linked ones included, or from a bare repository. It does not need the memory
// branch to exist. The error wraps ErrNotRepository or ErrUnsupported.
func Open(ctx context.Context, dir string, opts *Options) (*Store, error) {
	if opts == nil {
		opts = &Options{}
	}
	s := &Store{
		branch: opts.Branch, prompt: opts.Prompt, now: opts.Now, log: opts.Logger, signing: cmp.Or(opts.SigningTime, signingTime),
	}
	if s.branch == "" {
		s.branch = DefaultBranch
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if err := checkBranchName(s.branch); err != nil {
		return nil, err
	}
	s.ref = "refs/heads/" + s.branch
	if dir == "" {
		dir = "."
	}
	if err := s.discover(ctx, dir); err != nil {
		return nil, err
	}
	// The common directory, because a linked work tree may be removed meanwhile.
	s.cat = &catFile{dir: s.commonDir, turn: newTurn()}
	s.code = newCodeCat(s.commonDir, s.cat)
	s.refs = &refUpdater{commonDir: s.commonDir, turn: newTurn()}
	s.who, s.sources, s.reached = &identityCache{}, &sourceCache{}, &reachCache{}
	return s, nil
}

// checkBranchName refuses what git would (git check-ref-format) as far as it
// could do harm before git sees it.
func checkBranchName(name string) error {
	bad := strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || strings.ContainsRune("~^:?*[\\\x7f", r) })
	if bad || strings.HasPrefix(name, "-") || strings.HasPrefix(name, "/") || strings.Contains(name, "..") ||
		strings.Contains(name, "//") || strings.Contains(name, "@{") || strings.HasSuffix(name, "/") ||
		strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, ".") {
		return fmt.Errorf("%w: %q", ErrBranchName, name)
	}
	return nil
}

// Close ends the git processes of the store, after the call that each of them
// is busy with. Later calls fail with ErrClosed.
func (s *Store) Close() error {
	if s.view {
		return nil
	}
	err := errors.Join(s.cat.close(), s.refs.close())
	if s.code != s.cat {
		err = errors.Join(err, s.code.close())
	}
	return err
}

// Warm starts, in the background, what a write is going to want, while the caller
// waits for something else such as a remote.
func (s *Store) Warm(ctx context.Context) {
	go func() { _, _ = s.who.get(ctx, s.gitDir) }()
	go s.refs.warm(ctx)
}

// Branch is the name of the memory branch, without refs/heads/; of a view, the
// name that it was given.
func (s *Store) Branch() string { return s.branch }

// CommonDir is the git directory that all work trees of the repository share.
func (s *Store) CommonDir() string { return s.commonDir }

// StateDir is the folder for what engram keeps locally: derived, and safe to delete.
func (s *Store) StateDir() string {
	if s.stateDir != "" {
		return s.stateDir
	}
	return filepath.Join(s.commonDir, "engram")
}

// WorkTree is the top folder of the work tree, or "" where there is none.
func (s *Store) WorkTree() string { return s.workTree }

// Bare reports whether the repository has no work tree of its own.
func (s *Store) Bare() bool { return s.bare }

// RefPaths are the files in which git may move the branch: loose, packed, or
// the table of a reftable repository. They belong to all work trees together.
func (s *Store) RefPaths() []string {
	return []string{
		filepath.Join(s.commonDir, filepath.FromSlash(s.ref)),
		filepath.Join(s.commonDir, "packed-refs"),
		filepath.Join(s.commonDir, "reftable", "tables.list"),
	}
}
