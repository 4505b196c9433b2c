package gitstore

import (
	"context"
	"errors"
	"fmt"
)

// Rewrite says what a history is to lack, and what is put on top of it.
type Rewrite struct {
	// Drop are paths of files that no commit has any more. They are a list and
	// not a test of any path, so that only the folders on the way to them are
	// looked into.
	Drop []string
	// Message is what a commit's message becomes; nil keeps them all.
	Message func(string) string
	// Last is the commit on top of a history that changed; nil or no writes add
	// none. It is told all but New and Rescue.
	Last     func(Rewritten) ([]Write, Meta, error)
	Progress func(done, total int) // in commits; nil is silent
}

// Rewritten says what became of a history, or would.
type Rewritten struct {
	Old, New string // tips; the same where nothing changed
	Commits  int    // of the old history
	Changed  int    // that have another name now
	// First are the commits that changed although none of their ancestors did.
	// Whatever history has any commit that was replaced, has one of these.
	First    []string
	Messages []string // old names of the commits whose message changed
	Unsigned int      // commits that lost a signature, which could not be valid any more
	Rescue   string   // the reference that keeps Old; "" where nothing was moved
}

// PreviewRewrite says what RewriteHistory would do to the history of a
// revision, and writes nothing. The error wraps ErrIncomplete where the history
// is not all in this repository.
func (s *Store) PreviewRewrite(ctx context.Context, revision string, r Rewrite) (Rewritten, error) {
	if err := checkRevision(revision); err != nil {
		return Rewritten{}, err
	}
	return newRewriter(s, r, false).run(ctx, revision)
}

// RewriteHistory replaces the branch's history by one that plan decides on.
// plan is called with the tip, and again with another one where somebody else
// moved the branch meanwhile: what they wrote is rewritten as well.
//
//  1. Commits are made anew, parents first, each with its author, committer,
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
	release, err := s.lockWriters(ctx)
	if err != nil {
		return Rewritten{}, err
	}
	defer func() { _ = release() }()
	for lost := (race{}); ; {
		tip, err := s.Tip(ctx)
		if err == nil && tip != out.Old {
			out, err = s.rewriteTip(ctx, plan)
		}
		if err != nil {
			return Rewritten{}, err
		}
		if out.New == out.Old {
			return out, nil
		}
		if out.Rescue, err = s.replaceTip(ctx, out.Old, out.New); err == nil {
			return out, nil
		}
		if !lost.again(err) {
			return Rewritten{}, err
		}
		if err := lost.backOff(ctx); err != nil {
			return Rewritten{}, err
		}
	}
}

// rewriteTip writes the objects of the new history.
func (s *Store) rewriteTip(ctx context.Context, plan func(tip string) (Rewrite, error)) (Rewritten, error) {
	if tree := s.CheckedOutAt(); tree != "" {
		return Rewritten{}, fmt.Errorf("%w in %s", ErrCheckedOut, tree)
	}
	if _, err := s.who.get(ctx, s.gitDir); err != nil {
		return Rewritten{}, err
	}
	tip, err := s.Tip(ctx)
	if err != nil {
		return Rewritten{}, err
	}
	r, err := plan(tip)
	if err != nil {
		return Rewritten{}, err
	}
	return newRewriter(s, r, true).run(ctx, tip)
}

// replaceTip moves the branch to a history that does not contain the old one.
func (s *Store) replaceTip(ctx context.Context, old, new string) (rescue string, err error) {
	if tree := s.CheckedOutAt(); tree != "" {
		return "", fmt.Errorf("%w in %s", ErrCheckedOut, tree)
	}
	if rescue, err = s.rescue(ctx, old); err != nil {
		return "", err
	}
	err = s.refs.update(ctx, s.ref, new, old)
	if errors.Is(err, ErrMoved) || errors.Is(err, ErrLocked) {
		// The branch stands where it stood: there is nothing to be rescued.
		return "", errors.Join(err, s.refs.update(ctx, rescue, zeroName, old))
	}
	return rescue, err
}
