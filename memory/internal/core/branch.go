package core

import (
	"context"
	"errors"
	"fmt"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/internal/hint"
)

// Names of a code branch that stand for another.
const (
	CurrentBranch = "HEAD"            // the one that this work tree is on
	EveryBranch   = index.EveryBranch // all of them, in questions
)

// What can be wrong with the branch that a fact is to be bound to.
var (
	// ErrNoCodeBranch: this work tree is on none.
	ErrNoCodeBranch = errors.New("not a code branch")
	// ErrOnTrunk: what holds on the trunk holds for all.
	ErrOnTrunk = errors.New("facts cannot be bound to the trunk")
)

// A bound fact holds on one code branch, the one that it was learned on. It stands
// beside the key that it is for (facts.Bind), and only who is on that branch sees it.
// SettleBranches promotes it once the branch is merged and retires it once the branch
// is dropped.

// ResolveBranch is the code branch that a question is asked on: the named one or, by
// default, that of this work tree.
func (m *Memory) ResolveBranch(branch string) string {
	if branch == "" || branch == CurrentBranch {
		return m.Store.CodeBranch()
	}
	return branch
}

// VisibleOn reports whether a reader on a branch sees a fact.
func VisibleOn(f facts.Fact, branch string) bool {
	return f.Branch == "" || f.Branch == branch || branch == EveryBranch
}

// CurrentOrScheduled reports whether a fact is open: it holds, or will.
func CurrentOrScheduled(f facts.Fact, now time.Time) bool {
	state := f.StateAt(now)
	return state == facts.Current || state == facts.Scheduled
}

// Trunk is the branch that work is merged into.
func (m *Memory) Trunk(ctx context.Context) (gitstore.Trunk, error) {
	t, err := m.Store.Trunk(ctx, m.trunk)
	if errors.Is(err, gitstore.ErrNotFound) {
		err = UsageErrorf(hint.New("trunk in .engram.yml, or ENGRAM_TRUNK, names the branch that work is merged into"), "trunk: %w", err)
	}
	return t, err
}

// FactOn reads the fact at a key for a reader on a branch. A fact that is bound to the
// branch and open takes the place of the one at the key.
func (m *Memory) FactOn(ctx context.Context, p Past, key facts.Key, branch string) (facts.Fact, error) {
	if branch != "" && branch != EveryBranch {
		f, found, err := m.FactAt(ctx, p.Revision, facts.Bind(key, branch))
		if err == nil && found && f.Branch == branch && f.For == key && CurrentOrScheduled(f, p.Date) {
			return f, nil
		}
	}
	f, found, err := m.FactAt(ctx, p.Revision, key)
	if err == nil && !found {
		err = fmt.Errorf("%w: %s", ErrNotFound, key)
	}
	if err == nil && !VisibleOn(f, branch) {
		err = fmt.Errorf("%w here: %s is bound to the branch %s; --branch=%s asks as on it", ErrNotFound, key, f.Branch, f.Branch)
	}
	return f, err
}

// FindOnBranch finds the version of a key that a query is about, or the one that is
// bound to its branch in place of the key.
func FindOnBranch(ctx context.Context, view *index.View, q index.Query, key facts.Key) (index.Hit, bool, error) {
	keys := []facts.Key{key}
	if q.Branch != "" && q.Branch != EveryBranch {
		keys = []facts.Key{facts.Bind(key, q.Branch), key}
	}
	for _, k := range keys {
		q.KeyPrefix = k.String()
		hits, _, err := view.Search(ctx, q)
		if err != nil {
			return index.Hit{}, false, err
		}
		for _, hit := range hits { // the prefix also finds sub-identifiers
			if hit.Key == k {
				return hit, true, nil
			}
		}
	}
	return index.Hit{}, false, nil
}

// OverrideNotes says which fact holds in place of a key on the branch that a question is
// asked on.
func (m *Memory) OverrideNotes(ctx context.Context, revision string, q index.Query, key facts.Key) ([]string, error) {
	if q.Branch == "" || q.Branch == EveryBranch {
		return nil, nil
	}
	f, found, err := m.FactAt(ctx, revision, facts.Bind(key, q.Branch))
	if err != nil || !found || f.Branch != q.Branch || f.For != key || !CurrentOrScheduled(f, q.Now) {
		return nil, err
	}
	return []string{fmt.Sprintf("on the branch %s, %s holds in its place", q.Branch, f.Key)}, nil
}
