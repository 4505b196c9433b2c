package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Contest is one path that both sides of a merge changed in different ways.
// nil is absence.
type Contest struct {
	Path               string
	Base, Ours, Theirs []byte
}

// Joiner decides what a merge cannot. Both methods must be pure functions of
// their arguments, and Join symmetric in ours and theirs, for merges to
// converge: the same contest is put again after a lost race, in other clones,
// and where a past of several merges is made into one.
type Joiner interface {
	// Join returns the files that take the place of a contested path: normally
	// the winner at Path, and what gave way under other paths. Without a file
	// at Path nothing stands there afterwards. A file under another path where
	// one stands already is contested in its turn, without a base.
	Join(Contest) ([]Write, error)
	// Move returns where a file goes that cannot stay at path because another
	// path differs from it by case alone, or a folder stands there.
	Move(path string, data []byte) (Write, error)
}

// MergeKind is what a merge had to do.
type MergeKind int

// The kinds of merges, by what the two sides have of each other.
const (
	UpToDate    MergeKind = iota // the branch contains the other side: nothing was done
	FastForward                  // the other side contains the branch, which moved there
	Joined                       // a commit with two parents was made
	Began                        // there was no branch; it begins at the other side
)

// MergeResult says what a merge did. The paths are in order.
type MergeResult struct {
	Revision  string // of the branch afterwards; "" while describe is asked
	Kind      MergeKind
	Before    string   // the tip before, "" where there was none
	Contested []string // changed on both sides in different ways
	Moved     []string // moved from here, because they could not stand beside another
	Kept      []string // deleted on one side and changed on the other: they stay
	Refused   []string // left out, because a checkout could be attacked with the name
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
// describe is asked what the commit says of itself once the outcome is known. Like
// Update it queues with other writers and begins again after a lost race, and
// when it returns, all that the branch contains survives a power cut.
//
// The error wraps ErrNotFound where theirs is no commit, ErrShallow,
// ErrCheckedOut, ErrMoved, ErrLocked or ErrNoIdentity, or is j's; nothing has
// changed then.
func (s *Store) Merge(ctx context.Context, theirs string, j Joiner, describe func(MergeResult) Meta) (MergeResult, error) {
	other, err := s.commitNamed(ctx, theirs)
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

// commitNamed is the full name of the commit that revision means.
func (s *Store) commitNamed(ctx context.Context, revision string) (string, error) {
	if err := checkRevision(revision); err != nil {
		return "", err
	}
	obj, err := s.cat.get(ctx, revision+"^{commit}", maxCommit)
	if errors.Is(err, ErrNotFound) {
		return "", fmt.Errorf("%w: %q is no commit of this repository", ErrNotFound, revision)
	}
	return obj.name, err
}

// mergeOnto does all of a merge but moving the branch.
func (s *Store) mergeOnto(ctx context.Context, tip, theirs string, j Joiner, describe func(MergeResult) Meta) (MergeResult, error) {
	result := MergeResult{Kind: Began, Before: tip, Revision: theirs}
	var bases []string
	if tip != "" {
		var err error
		if bases, err = s.mergeBases(ctx, tip, theirs); err != nil {
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
	if before, fetched := s.durable.Load(theirs); fetched && (before == "" || slices.Contains(bases, before.(string))) {
		// Fetch has synced all that is new to the branch.
	} else if err := s.syncHistory(ctx, theirs, tip); err != nil {
		return MergeResult{}, err
	}
	if result.Kind != Joined {
		return result, nil
	}
	return s.mergeDiverged(ctx, result, bases, j, describe)
}

// mergeDiverged makes the commit of two sides of which neither contains the
// other. result names them.
func (s *Store) mergeDiverged(ctx context.Context, result MergeResult, bases []string, j Joiner, describe func(MergeResult) Meta) (MergeResult, error) {
	past := &pastMerger{store: s, joiner: j, known: map[string]string{}}
	base, err := past.tree(ctx, bases)
	if err != nil {
		return MergeResult{}, err
	}
	parents := []string{result.Before, result.Revision}
	m, err := s.mergeTrees(ctx, base, parents[0], parents[1], j)
	if err != nil {
		return MergeResult{}, err
	}
	result.Contested, result.Moved, result.Kept, result.Refused = m.contested, m.moved, m.kept, m.refused
	result.Revision = ""
	meta := describe(result)
	who, err := s.authors(ctx, meta)
	if err != nil {
		return MergeResult{}, err
	}
	result.Revision, err = s.writeCommit(ctx, &m.objects, who, m.tree, parents, meta)
	return result, err
}
