package share

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
)

// MergeFetched merges what was fetched from a remote.
func (m *Sharer) MergeFetched(ctx context.Context, remote string, r *SettleResult) error {
	if remote == "" {
		return nil
	}
	theirs := gitstore.RemoteBranch{Name: remote + "/" + m.Store.Branch()}
	var err error
	if theirs.Revision, err = m.Store.Tracked(ctx, remote); err != nil || theirs.Revision == "" {
		return err
	}
	ours, err := m.Store.Tip(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNoBranch) || ours == theirs.Revision {
		return err
	}
	agreed, reason, err := m.checkMergeable(ctx, ours, theirs.Revision)
	if err != nil || reason != "" {
		if reason != "" {
			r.refused = true
			r.Notes = append(r.Notes, fmt.Sprintf("%s was not taken in: %s", theirs.Name, reason))
		}
		return err
	}
	if tree := m.Store.CheckedOutAt(); tree != "" {
		if _, err := m.Store.Ancestor(ctx, theirs.Revision, ours); err == nil {
			return nil // it has been merged there
		}
		r.refused = true
		r.Notes = append(r.Notes, fmt.Sprintf("%s has more; the memory branch is checked out in %s, where git merges it", theirs.Name, tree))
		return nil
	}
	merged, err := m.Store.Merge(ctx, theirs.Revision, m.Joiner(), func(result gitstore.MergeResult) gitstore.Meta {
		return core.CommitMeta(agreed, mergeMessage(theirs.Name, result))
	})
	switch {
	case err != nil:
		return err
	case merged.Kind == gitstore.UpToDate:
		return nil
	case merged.Kind == gitstore.Began:
		// What is on it, the audits of those who wrote it have seen.
		if err := m.compare.WriteState(audit.MarkFile, audit.Mark{Revision: merged.Revision, Rules: detect.RulesVersion}); err != nil {
			r.Notes = append(r.Notes, err.Error())
		}
	}
	if merged.Kind == gitstore.Joined {
		core.CacheOf[audit.MergesMade](m.Memory).Store(merged.Revision, true)
	}
	r.From, r.Merged = append(r.From, theirs.Name), merged.Kind == gitstore.Joined
	return m.describeMerge(ctx, merged, r)
}

// checkMergeable returns the reason why a revision must not be merged into the branch, which
// is at ours ("" if it does not exist): it is not a memory, or one of the two contains what
// was purged from the other. agreed wants the commit to be as private, and signed, as either
// side wants it.
func (m *Sharer) checkMergeable(ctx context.Context, ours, theirs string) (agreed facts.Manifest, reason string, err error) {
	there, err := m.Manifest(ctx, theirs)
	if errors.Is(err, core.ErrNotMemory) {
		return there, err.Error(), nil
	}
	if err != nil || ours == "" {
		return there, "", err
	}
	bad, err := m.purge.PurgedFrom(ctx, there, ours)
	if err != nil {
		return there, "", err
	}
	if bad != "" {
		return there, fmt.Sprintf("this clone still has %s, which was purged there; save what nobody else has with `engram export`, then let the branch %s begin again at what was fetched",
			bad, m.Store.Branch()), nil
	}
	here, err := m.Manifest(ctx, ours)
	if err != nil {
		return here, "", err
	}
	agreed = facts.Manifest{AnonymousMode: here.AnonymousMode || there.AnonymousMode, SignedCommits: here.SignedCommits || there.SignedCommits}
	bad, err = m.purge.PurgedFrom(ctx, here, theirs)
	if err != nil || bad == "" {
		return agreed, "", err
	}
	return agreed, fmt.Sprintf("it still has %s, which was purged here; whoever may has to replace the branch there", bad), nil
}

func mergeMessage(name string, r gitstore.MergeResult) string {
	message := "merge " + name
	if len(r.Contested)+len(r.Moved) == 0 {
		return message + "\n"
	}
	lines := slices.Concat(r.Contested, r.Moved)
	listed := lines[:min(len(lines), core.MaxMessageLines)]
	return fmt.Sprintf("%s: %d written on both sides\n\n%s\n", message, len(lines), strings.Join(listed, "\n"))
}

// describeMerge fills in what a merge brought.
func (m *Sharer) describeMerge(ctx context.Context, merged gitstore.MergeResult, r *SettleResult) error {
	changes, err := m.audit.Changes(ctx, merged.Before, merged.Revision)
	if err != nil {
		return err
	}
	for _, c := range changes {
		key, ok := facts.KeyOfPath(c.Path)
		switch {
		case !ok || c.New == "":
		case detect.IsConflict(key):
			if err := m.conflictArrived(ctx, merged.Revision, key, c, r); err != nil {
				return err
			}
		default:
			r.Arrived++
		}
	}
	if !r.Merged {
		return nil
	}
	for _, path := range merged.Contested {
		if _, isFact := facts.KeyOfPath(path); !isFact {
			r.Contests = append(r.Contests, path)
		}
	}
	r.Rivals, err = m.rivalsIn(ctx, merged)
	for _, path := range merged.Refused {
		r.Notes = append(r.Notes, fmt.Sprintf("%q was omitted: its name is not safe to check out", path))
	}
	return err
}

// conflictArrived notes a conflict that somebody else's audit wrote, and that was not
// open here before.
func (m *Sharer) conflictArrived(ctx context.Context, revision string, key facts.Key, c gitstore.Change, r *SettleResult) error {
	open := func(blob string) (detect.Conflict, bool) {
		f, ok := m.audit.FactIn(ctx, key, blob)
		if !ok {
			return detect.Conflict{}, false
		}
		conflict, ok := detect.ConflictOf(f)
		return conflict, ok && conflict.Status == detect.Open
	}
	now, isOpen := open(c.New)
	if _, was := open(c.Old); !isOpen || was {
		return ctx.Err()
	}
	shown, err := m.audit.ShowConflict(ctx, revision, now)
	if err == nil {
		r.Opened = append(r.Opened, shown)
	}
	return err
}

// rivalsIn are the keys of the claims that a merge kept beside others: in neither
// of its parents.
func (m *Sharer) rivalsIn(ctx context.Context, merged gitstore.MergeResult) ([]facts.Key, error) {
	keys := []facts.Key{}
	if len(merged.Contested)+len(merged.Moved) == 0 {
		return keys, nil
	}
	entries, err := m.Store.OfMerge(ctx, merged.Revision)
	for _, c := range entries {
		key, ok := facts.KeyOfPath(c.Path)
		if f, found := m.audit.FactIn(ctx, key, c.New); ok && found && f.IsRival() {
			keys = append(keys, key)
		}
	}
	return keys, err
}
