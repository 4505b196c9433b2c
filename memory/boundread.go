package memory

import (
	"context"
	"fmt"

	"engram/facts"
	"engram/index"
)

// factOn reads the fact that stands at a key for who is on a branch: one bound to
// the branch in its place, if that holds.
func (m *Memory) factOn(ctx context.Context, p past, key facts.Key, branch string) (facts.Fact, error) {
	if branch != "" && branch != EveryBranch {
		f, found, err := m.factAt(ctx, p.revision, facts.Bind(key, branch))
		if err == nil && found && f.Branch == branch && f.For == key && open(f, p.date) {
			return f, nil
		}
	}
	f, found, err := m.factAt(ctx, p.revision, key)
	if err == nil && !found {
		err = fmt.Errorf("%w: %s", ErrNotFound, key)
	}
	if err == nil && !seenOn(f, branch) {
		err = fmt.Errorf("%w here: %s is bound to the branch %s; --branch=%s asks as on it", ErrNotFound, key, f.Branch, f.Branch)
	}
	return f, err
}

// heldOn finds the version of a key that a query is about, or the one that held in
// its place on the branch.
func heldOn(ctx context.Context, view *index.View, q index.Query, key facts.Key) (index.Hit, bool, error) {
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

// standIn says which fact holds in the place of one at a key on the branch that a
// question is asked on.
func (m *Memory) standIn(ctx context.Context, revision string, q index.Query, key facts.Key) ([]string, error) {
	if q.Branch == "" || q.Branch == EveryBranch {
		return nil, nil
	}
	f, found, err := m.factAt(ctx, revision, facts.Bind(key, q.Branch))
	if err != nil || !found || f.Branch != q.Branch || f.For != key || !open(f, q.Now) {
		return nil, err
	}
	return []string{fmt.Sprintf("on the branch %s, %s holds in its place", q.Branch, f.Key)}, nil
}

// maxTold is up to how many facts of one commit are looked at for others that hold
// in their place.
const maxTold = 20

// tellStandIns warns of facts that this work tree will not show, because something
// else holds in their place on its branch.
func (m *Memory) tellStandIns(ctx context.Context, results []CommitResult) {
	branch := m.store.CodeBranch()
	if branch == "" || len(results) > maxTold {
		return
	}
	q := index.Query{Branch: branch, Now: m.moment()}
	for i, r := range results {
		key, err := facts.ParseKey(r.Key)
		if err != nil || r.Branch != "" || r.Duplicate || r.MemoryOp == string(facts.OpDelete) {
			continue
		}
		if said, err := m.standIn(ctx, r.Revision, q, key); err == nil {
			results[i].Warnings = append(results[i].Warnings, said...)
		}
	}
}
