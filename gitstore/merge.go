package gitstore

import (
	"context"
	"fmt"
	"slices"

	"engram/gitstore/internal/treemerge"
)

// MergeKind is the kind of a merge.
type MergeKind int

// The kinds of merges, by what the two sides have of each other.
const (
	UpToDate    MergeKind = iota // the branch contains the other side: nothing was done
	FastForward                  // the other side contains the branch, which moved there
	Joined                       // a commit with two parents was made
	Began                        // there was no branch; it begins at the other side
)

// MergeResult describes the outcome of a merge. The paths are sorted.
type MergeResult struct {
	Revision  string // of the branch afterwards; "" while describe runs
	Kind      MergeKind
	Before    string   // the tip before, "" if there was none
	Contested []string // changed on both sides in different ways
	Moved     []string // moved from here, because they could not stand beside another
	Kept      []string // deleted on one side and changed on the other: they stay
	Refused   []string // omitted, because their name could attack a checkout
}

// Merge brings what theirs, a revision in the repository, contains into the
// memory branch. No work tree takes part, and what is neither contested nor
// moved is not read. Whichever side merges the other, the tree is the same.
//
//  1. The branch contains theirs: nothing.
//  2. There is no branch, or theirs contains it: it moves to theirs.
//  3. Otherwise a commit of both (ours is the first parent), by the rules of
//     decide for each path; j joins what is contested.
//
// describe returns the metadata of the commit once the outcome is known. Like
// Update, Merge queues with other writers and retries after a lost race, and when it
// returns, everything that the branch contains survives a power cut.
//
// The error wraps ErrNotFound if theirs is not a commit, ErrShallow,
// ErrCheckedOut, ErrMoved, ErrLocked or ErrNoIdentity, or is j's; then
// nothing has changed.
func (s *Store) Merge(ctx context.Context, theirs string, j Joiner, describe func(MergeResult) Meta) (MergeResult, error) {
	other, err := s.repo.CommitNamed(ctx, theirs)
	if err != nil {
		return MergeResult{}, err
	}
	var result MergeResult
	revision, err := s.onTip(ctx, func(tip string) (string, error) {
		var err error
		result, err = s.mergeOnto(ctx, tip, other, j, describe)
		return result.Revision, err
	})
	if err != nil {
		return MergeResult{}, fmt.Errorf("merge %s: %w", theirs, err)
	}
	result.Revision = revision
	return result, nil
}

// mergeOnto does all of a merge but moving the branch.
func (s *Store) mergeOnto(ctx context.Context, tip, theirs string, j Joiner, describe func(MergeResult) Meta) (MergeResult, error) {
	result := MergeResult{Kind: Began, Before: tip, Revision: theirs}
	var bases []string
	if tip != "" {
		var err error
		if bases, err = s.repo.MergeBases(ctx, tip, theirs); err != nil {
			return MergeResult{}, err
		}
		result.Kind = Joined
		switch {
		case slices.Contains(bases, theirs):
			result.Kind, result.Revision = UpToDate, tip
			return result, nil
		case slices.Contains(bases, tip):
			result.Kind = FastForward
		}
	}
	if err := s.mayMove(); err != nil {
		return MergeResult{}, err
	}
	// Fetch has synced all that is new to the branch, if that contains what was there before.
	if before, fetched := s.remoteClient.Synced(theirs); !fetched || before != "" && !slices.Contains(bases, before) {
		if err := s.repo.Objects.SyncHistory(ctx, []string{theirs}, []string{tip}); err != nil {
			return MergeResult{}, err
		}
	}
	if result.Kind != Joined {
		return result, nil
	}
	return s.mergeDiverged(ctx, result, bases, j, describe)
}

// mergeDiverged makes the commit of two sides of which neither contains the
// other. result names them.
func (s *Store) mergeDiverged(ctx context.Context, result MergeResult, bases []string, j Joiner, describe func(MergeResult) Meta) (MergeResult, error) {
	parents := []string{result.Before, result.Revision}
	m, err := treemerge.Of(ctx, s.repo, bases, parents[0], parents[1], j)
	if err != nil {
		return MergeResult{}, err
	}
	result.Contested, result.Moved, result.Kept, result.Refused = m.Contested, m.Moved, m.Kept, m.Refused
	result.Revision = ""
	result.Revision, err = s.commits.CommitTree(ctx, &m.Objects, m.Tree, parents, describe(result))
	return result, err
}
