package gitstore

import (
	"context"
	"fmt"
)

// FastForward moves the branch to a revision that contains its tip, and reports
// whether it did; false where it contains no more than the tip, or not all of it.
// The error wraps ErrNoBranch, ErrCheckedOut, ErrMoved or ErrLocked.
func (s *Store) FastForward(ctx context.Context, to string) (moved bool, err error) {
	release, err := s.lockWriters(ctx)
	if err != nil {
		return false, err
	}
	defer func() { _ = release() }()
	tip, err := s.Tip(ctx)
	if err != nil || tip == to {
		return false, err
	}
	lie, err := s.between(ctx, tip, to)
	if err != nil || lie.relation != Ahead {
		return false, err
	}
	if tree := s.CheckedOutAt(); tree != "" {
		return false, fmt.Errorf("%w in %s", ErrCheckedOut, tree)
	}
	return true, s.refs.update(ctx, s.ref, to, tip)
}

// PushTo brings the branch to the branch of the same name of a remote, where it
// can go on from what is there. It never forces and never asks.
func (s *Store) PushTo(ctx context.Context, remote string) error {
	if err := checkRevision(remote); err != nil {
		return err
	}
	if _, err := run(ctx, s.commonDir, "push", "--quiet", "--no-verify", remote, s.ref+":"+s.ref); err != nil {
		return fmt.Errorf("push the memory to %s: %w", remote, err)
	}
	return nil
}
