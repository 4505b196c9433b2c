package gitstore

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"engram/gitstore/internal/gitcmd"
	"engram/internal/filelock"
)

// writerWait is how long a writer waits for the lock that engram's writers share.
const writerWait = 30 * time.Second

// Update makes one commit of what plan wants, however many others write at
// the same time. plan is called with the tip ("" if there is no branch yet)
// and again with the new tip after a lost race, so it must read everything it
// decides by from the revision it is given. A plan that wants nothing returns
// no writes; the result is then the tip. When Update returns, the commit survives
// a power cut.
//
//  1. The trees on the way to each file are rewritten, each once.
//  2. Blobs, trees and the commit are written and synced.
//  3. git moves the reference, from the tip and from nothing else.
//
// The error wraps ErrMoved, ErrLocked, ErrClash, ErrCheckedOut, ErrReadOnly,
// ErrSigning or ErrNoIdentity, or is one of plan; then nothing has changed.
func (s *Store) Update(ctx context.Context, plan func(tip string) ([]Write, Meta, error)) (string, error) {
	return s.onTip(ctx, func(tip string) (string, error) {
		writes, meta, err := plan(tip)
		if err != nil || len(writes) == 0 {
			return tip, err
		}
		if err := s.mayMove(); err != nil {
			return "", err
		}
		commit, _, err := s.commits.Commit(ctx, tip, writes, meta)
		return commit, err
	})
}

// onTip moves the branch to the commit that build makes on the tip ("" if
// there is no branch), alone among engram's writers. It calls build again with
// the new tip after a race lost to others. A build that has nothing to do
// returns the tip. An error of build ends the attempt.
func (s *Store) onTip(ctx context.Context, build func(tip string) (string, error)) (commit string, err error) {
	err = s.asWriter(ctx, func() (lost, err error) {
		tip, err := s.repo.Tip(ctx)
		if err != nil && !errors.Is(err, ErrNoBranch) {
			return nil, err
		}
		if commit, err = build(tip); err != nil || commit == tip {
			return nil, err
		}
		return s.move(ctx, tip, commit), nil
	})
	if err != nil {
		return "", err
	}
	return commit, nil
}

// asWriter calls attempt under the lock of engram's writers, and again after each race
// for the branch that it lost.
func (s *Store) asWriter(ctx context.Context, attempt func() (lost, err error)) error {
	release, err := s.lockWriters(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	for races := (gitcmd.Race{Lost: ErrMoved}); ; {
		lost, err := attempt()
		if err != nil || lost == nil {
			return err
		}
		if !races.Again(lost) {
			return lost
		}
		s.repo.Log.Debug("lost a race for the branch", "attempt", races.Attempts, "error", lost)
		if err := races.Wait(ctx); err != nil {
			return err
		}
	}
}

func (s *Store) lockWriters(ctx context.Context) (release func() error, err error) {
	wait, cancel := context.WithTimeout(ctx, writerWait)
	defer cancel()
	release, err = filelock.Acquire(wait, filepath.Join(s.StateDir(), "write.lock"), filelock.Exclusive)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("%w: another engram process has held the write lock for %s", ErrLocked, writerWait)
	}
	return release, err
}
