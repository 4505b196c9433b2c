package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"engram/internal/hint"
	"engram/memory/internal/clone"
	"engram/memory/internal/core"
	"engram/session"
)

// A session that was redacted or pruned has a new history. The commits of the old one are
// noted here, in this clone alone: a remote that is still at one of them has nothing that
// is not known here. After a redaction its reference is replaced; after a prune it stays,
// and so do the artifacts here that went.
const (
	replacedFolder = "replaced"
	prunedFolder   = "pruned"
)

func (a *Archive) commitsFile(folder, id string) string {
	return a.Folder(folder, session.Shard(id), id+".json")
}

// commitsBefore returns the commits that a session was at before it was redacted or pruned.
func (a *Archive) commitsBefore(folder, id string) (commits []string, err error) {
	data, err := os.ReadFile(a.commitsFile(folder, id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &commits)
	}
	return commits, err
}

// noteCommits notes that the history of a session is to be replaced. A redaction is also
// one of what was pruned before.
func (a *Archive) noteCommits(ctx context.Context, folder string, s *Session) error {
	commits, err := a.commitsBefore(folder, s.ID)
	if err != nil {
		return err
	}
	if folder == replacedFolder {
		pruned, err := a.commitsBefore(prunedFolder, s.ID)
		if err != nil {
			return err
		}
		commits = append(commits, pruned...)
	}
	more, err := a.Store.ThreadCommits(ctx, s.Tip)
	if err != nil {
		return err
	}
	return clone.WriteJSON(a.commitsFile(folder, s.ID), append(commits, more...))
}

// dropCommits forgets what was noted of a session.
func (a *Archive) dropCommits(id string, folders ...string) error {
	for _, folder := range folders {
		if err := os.Remove(a.commitsFile(folder, id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// isPruned reports whether a remote that has a session at a commit has nothing but the
// artifacts which were pruned here.
func (a *Archive) isPruned(id, at string) (bool, error) {
	commits, err := a.commitsBefore(prunedFolder, id)
	return at != "" && slices.Contains(commits, at), err
}

// sparePruned leaves out the references at which a remote has all of a session, and more:
// what was pruned here.
func (a *Archive) sparePruned(ctx context.Context, result *ShareResult, refs []string, remote *asking) (left []string, err error) {
	for _, ref := range refs {
		id := session.IDOfRef(ref)
		if _, err := os.Lstat(a.commitsFile(prunedFolder, id)); err != nil {
			left = append(left, ref)
			continue
		}
		pruned, err := a.isPruned(id, remote.threads(ctx)[ref])
		if err != nil {
			return nil, err
		}
		tip, err := a.TipOf(ctx, id)
		if err != nil {
			return nil, err
		}
		ours, err := a.Store.ThreadCommits(ctx, tip)
		if err != nil {
			return nil, err
		}
		if !pruned || len(ours) > 1 { // it went on since
			left = append(left, ref)
			continue
		}
		result.Sessions = slices.DeleteFunc(result.Sessions, func(s Summary) bool { return s.ID == id })
		result.Withheld = append(result.Withheld, WithheldHint{id, result.Remote + " has it, with the artifacts that were pruned here"})
	}
	return left, nil
}

// toReplace returns the references that a remote has as they were before a redaction here,
// with the commit that each is at. It is an error if somebody continued or redacted one of
// them, because what was taken out would come back.
func (a *Archive) toReplace(ctx context.Context, result *ShareResult, refs []string, remote *asking) (map[string]string, error) {
	replace := map[string]string{}
	for _, ref := range refs {
		id := session.IDOfRef(ref)
		old, err := a.commitsBefore(replacedFolder, id)
		if err != nil || len(old) == 0 {
			if err != nil {
				return nil, err
			}
			continue
		}
		tip, err := a.TipOf(ctx, id)
		if err != nil {
			return nil, err
		}
		at := remote.threads(ctx)[ref]
		if at == "" {
			continue
		}
		if slices.Contains(old, at) {
			replace[ref] = at
			result.Notes = append(result.Notes, fmt.Sprintf("session %s was redacted here: what %s has of it is replaced; the old objects stay there until it collects garbage (git gc --prune=now)", id, result.Remote))
			continue
		}
		if ours, err := a.Store.ThreadCommits(ctx, tip); err != nil || !slices.Contains(ours, at) {
			return nil, errors.Join(err, core.UsageErrorf(
				hint.New("%s joins the two if it can, and otherwise says which side has to give way", hint.Do(hint.FetchSession, id)),
				"session %s was redacted here, and %s has a version of it that this clone does not know: somebody continued it, or redacted it as well", id, result.Remote))
		}
	}
	return replace, nil
}
