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
	"engram/memory/internal/core"
	"engram/session"
)

// A session that was redacted has a new history. The commits of the old one are noted
// here, in this clone alone: a remote that is still at one of them has nothing that is not
// here, so its reference may be replaced.

func (a *Archive) replacedFile(id string) string {
	return a.folder("replaced", session.Shard(id), id+".json")
}

// replacedBy returns the commits that a session was at before it was redacted.
func (a *Archive) replacedBy(id string) (commits []string, err error) {
	data, err := os.ReadFile(a.replacedFile(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &commits)
	}
	return commits, err
}

// replaced notes that the history of a session is to be replaced.
func (a *Archive) replaced(ctx context.Context, s *Session) error {
	commits, err := a.replacedBy(s.ID)
	if err != nil {
		return err
	}
	more, err := a.Store.ThreadCommits(ctx, s.Tip)
	if err != nil {
		return err
	}
	return writeJSON(a.replacedFile(s.ID), append(commits, more...))
}

// dropReplaced forgets the commits of a session that is gone.
func (a *Archive) dropReplaced(id string) error {
	if err := os.Remove(a.replacedFile(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// toReplace returns the references that a remote has as they were before a redaction here,
// with the commit that each is at. It is an error if somebody continued one of them,
// because that would bring back what was taken out.
func (a *Archive) toReplace(ctx context.Context, result *ShareResult, refs []string) (map[string]string, error) {
	var there map[string]string
	replace := map[string]string{}
	for _, ref := range refs {
		id := session.IDOfRef(ref)
		old, err := a.replacedBy(id)
		if err != nil || len(old) == 0 {
			if err != nil {
				return nil, err
			}
			continue
		}
		if there == nil {
			if there, err = a.Store.ListRemoteThreads(ctx, result.Remote); err != nil {
				return nil, err
			}
		}
		tip, err := a.TipOf(ctx, id)
		if err != nil {
			return nil, err
		}
		at := there[ref]
		if at == "" {
			continue
		}
		if slices.Contains(old, at) {
			replace[ref] = at
			result.Notes = append(result.Notes, fmt.Sprintf("session %s was redacted here: what %s has of it is replaced", id, result.Remote))
			continue
		}
		if ours, err := a.Store.ThreadCommits(ctx, tip); err != nil || !slices.Contains(ours, at) {
			return nil, errors.Join(err, core.UsageErrorf(
				hint.New("remove the reference %s from the remote and share again; whoever continued the session imports the transcript again", ref),
				"session %s was redacted here, and %s has a version of it that somebody continued", id, result.Remote))
		}
	}
	return replace, nil
}
