package gitstore

import (
	"context"
	"errors"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/rewrite"
)

// PreviewRewrite says what RewriteHistory would do to the history of a
// revision, and writes nothing. The error wraps ErrIncomplete if the history
// is not all in this repository.
func (s *Store) PreviewRewrite(ctx context.Context, revision string, r Rewrite) (Rewritten, error) {
	if err := gitcmd.CheckRevision(revision); err != nil {
		return Rewritten{}, err
	}
	return rewrite.Of(ctx, s.repo, nil, r, revision)
}

// RewriteHistory replaces the branch's history by one that plan decides on.
// plan is called with the tip, and again with the new tip if another writer
// moved the branch in the meantime: their commits are rewritten as well.
//
//  1. Commits are rewritten, parents first, each with its author, committer,
//     dates and encoding. One that comes out as it was keeps its name, and so
//     does everything before the first that does not. One that comes to change
//     nothing stays: its moment and its author are part of what happened, and
//     questions about the past are answered by it.
//  2. All objects are durable before any reference moves.
//  3. A rescue reference keeps the old tip.
//  4. git moves the branch, from the old tip and from nothing else.
//
// Until the last step everything is as it was, however it ends. No other
// reference, no remote and no work tree is touched. The error wraps
// ErrIncomplete, ErrCheckedOut, ErrMoved, ErrLocked or ErrNoIdentity.
func (s *Store) RewriteHistory(ctx context.Context, plan func(tip string) (Rewrite, error)) (Rewritten, error) {
	// Most of the work is done before the lock is taken: others write meanwhile.
	out, err := s.rewriteTip(ctx, plan)
	if err != nil {
		return Rewritten{}, err
	}
	err = s.asWriter(ctx, func() (lost, err error) {
		tip, err := s.repo.Tip(ctx)
		if err == nil && tip != out.Old {
			out, err = s.rewriteTip(ctx, plan)
		}
		if err != nil || out.New == out.Old {
			return nil, err
		}
		out.Rescue, lost = s.replaceTip(ctx, out.Old, out.New)
		return lost, nil
	})
	if err != nil {
		return Rewritten{}, err
	}
	return out, nil
}

// rewriteTip writes the objects of the new history.
func (s *Store) rewriteTip(ctx context.Context, plan func(tip string) (Rewrite, error)) (Rewritten, error) {
	if err := s.mayMove(); err != nil {
		return Rewritten{}, err
	}
	if _, err := s.commits.Identity(ctx); err != nil {
		return Rewritten{}, err
	}
	tip, err := s.repo.Tip(ctx)
	if err != nil {
		return Rewritten{}, err
	}
	r, err := plan(tip)
	if err != nil {
		return Rewritten{}, err
	}
	return rewrite.Of(ctx, s.repo, s.commits, r, tip)
}

// replaceTip moves the branch to a history that does not contain the old one.
func (s *Store) replaceTip(ctx context.Context, old, new string) (rescue string, err error) {
	if err := s.mayMove(); err != nil {
		return "", err
	}
	if rescue, err = s.rescue(ctx, old); err != nil {
		return "", err
	}
	err = s.repo.Refs.Update(ctx, s.repo.Ref, new, old)
	if errors.Is(err, ErrMoved) || errors.Is(err, ErrLocked) {
		// The branch did not move, so the rescue reference is not needed.
		return "", errors.Join(err, s.repo.Refs.Update(ctx, rescue, "", old))
	}
	return rescue, err
}
