package gitstore

import (
	"context"
	"errors"
	"fmt"
)

// mayMove returns an error if a work tree has the branch checked out, or if s is
// read-only.
func (s *Store) mayMove() error {
	if s.view {
		return fmt.Errorf("%w: %s", ErrReadOnly, s.repo.Branch)
	}
	if tree := s.repo.CheckedOutAt(); tree != "" {
		return fmt.Errorf("%w in %s", ErrCheckedOut, tree)
	}
	return nil
}

// move has git move the branch from old ("" if there is none) to a commit
// that is durable, if the branch is still at old. The error wraps ErrMoved or
// ErrLocked.
func (s *Store) move(ctx context.Context, old, commit string) error {
	if err := s.repo.Refs.Update(ctx, s.repo.Ref, commit, old); err != nil {
		return err
	}
	s.maintain(ctx, commit)
	return nil
}

// BeginAt creates the memory branch, which must not exist, at a revision that is
// already in the repository. The error wraps ErrMoved or ErrLocked.
func (s *Store) BeginAt(ctx context.Context, revision string) error {
	if s.view {
		return fmt.Errorf("%w: %s", ErrReadOnly, s.repo.Branch)
	}
	return s.repo.Refs.Update(ctx, s.repo.Ref, revision, "")
}

// TakeBack moves the branch from a commit to its parent, if the branch is still at
// that commit. Use it only for a commit that no one else can have seen.
func (s *Store) TakeBack(ctx context.Context, commit, parent string) error {
	return s.repo.Refs.Update(ctx, s.repo.Ref, parent, commit)
}

var (
	// ErrCheckedOut: the branch is checked out in a work tree.
	ErrCheckedOut = errors.New("the memory branch is checked out")
	// ErrReadOnly: a source is not written to like the memory of this repository.
	ErrReadOnly = errors.New("sources are read-only")
)
