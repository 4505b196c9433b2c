package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/session"
)

// PruneInput says which artifacts to archive.
type PruneInput struct {
	Days    int   `json:"days,omitempty" flag:"days" min:"0" help:"archive artifacts of sessions that ended more than this many days ago; without it, sessions.keep_days of the configuration says it"`
	MaxSize int64 `json:"max_size,omitempty" flag:"max-size" min:"0" help:"archive the oldest artifacts beyond this many bytes; without it, sessions.max_size of the configuration says it"`
	Apply   bool  `json:"apply" flag:"yes" help:"apply it; without --yes the command only shows what it would archive"`
}

// PruneResult says which artifacts were archived, or would be.
type PruneResult struct {
	SchemaVersion int           `json:"schema_version"`
	Applied       bool          `json:"applied"`
	Cold          string        `json:"cold"` // the folder, or remote:NAME; "": the bytes are dropped, digest and preview stay
	Sessions      []PrunedShare `json:"sessions"`
	Artifacts     int           `json:"artifacts"`
	Bytes         int64         `json:"bytes"`
	Left          int64         `json:"bytes_left"` // of artifacts that stay
	Notes         []string      `json:"notes,omitempty"`
}

// PrunedShare is what one session gives up.
type PrunedShare struct {
	ID        string    `json:"session_id"`
	Ended     time.Time `json:"ended_at"`
	Artifacts int       `json:"artifacts"`
	Bytes     int64     `json:"bytes"`
}

// Prune moves the bytes of old artifacts into cold storage, or drops them. Events,
// digests and previews stay (source document 5, §9.3 and A.7).
func (a *Archive) Prune(ctx context.Context, in PruneInput) (PruneResult, error) {
	keep := a.Sessions
	keep.KeepDays, keep.MaxSize = cmp.Or(in.Days, keep.KeepDays), cmp.Or(in.MaxSize, keep.MaxSize)
	result := PruneResult{SchemaVersion: core.SchemaVersion, Cold: keep.Cold, Sessions: []PrunedShare{}}
	if keep.KeepDays <= 0 && keep.MaxSize <= 0 {
		return result, core.UsageErrorf(hint.New("name days or a size, or configure sessions.keep_days or sessions.max_size"), "neither an age nor a size says what to archive")
	}
	summaries, err := a.summaries(ctx, nil)
	if err != nil {
		return result, err
	}
	slices.SortFunc(summaries, func(x, y Summary) int { return cmp.Or(y.Ended.Compare(x.Ended), cmp.Compare(x.ID, y.ID)) })
	for _, sum := range summaries { // newest first: what is beyond the size is the oldest
		s, err := a.Open(ctx, sum.ID)
		if err != nil {
			return result, err
		}
		share := PrunedShare{ID: sum.ID, Ended: sum.Ended, Artifacts: len(s.blobs)}
		for _, parts := range s.blobs {
			for _, part := range parts {
				share.Bytes += part.Size
			}
		}
		old := keep.KeepDays > 0 && a.Moment().Sub(sum.Ended) > time.Duration(keep.KeepDays)*24*time.Hour
		_, remote := a.coldRemote()
		private := remote && sum.Private > 0
		if large := keep.MaxSize > 0 && result.Left+share.Bytes > keep.MaxSize; share.Artifacts == 0 || sum.Live || private || !old && !large {
			if result.Left += share.Bytes; private && share.Artifacts > 0 && (old || large) {
				result.Notes = append(result.Notes, fmt.Sprintf("the artifacts of session %s stay: it has %s, and the cold storage is a remote", sum.ID, core.Plural(sum.Private, "private event")))
			}
			continue
		}
		result.Sessions = append(result.Sessions, share)
		result.Artifacts += share.Artifacts
		result.Bytes += share.Bytes
		if in.Apply {
			if err := a.archive(ctx, s); err != nil {
				return result, err
			}
		}
	}
	result.Applied = in.Apply
	return result, nil
}

// archive takes the artifacts out of a session, after they are in cold storage.
func (a *Archive) archive(ctx context.Context, s *Session) error {
	if err := errors.Join(a.freeze(ctx, s), a.noteCold()); err != nil {
		return fmt.Errorf("archive the artifacts of session %s: %w", s.ID, err)
	}
	candidates, err := s.objects(ctx)
	if err != nil {
		return err
	}
	var entries []gitstore.ThreadEntry
	for _, f := range s.files {
		if digestOf(f.Path) == "" {
			entries = append(entries, gitstore.ThreadEntry{Path: f.Path, Object: f.Object})
		}
	}
	sum, err := s.Summary(ctx)
	if err != nil {
		return err
	}
	if err := a.noteCommits(ctx, prunedFolder, s); err != nil {
		return err
	}
	tip, err := a.Store.ReplaceThread(ctx, session.Ref(s.ID), s.Tip, entries, gitstore.Meta{Message: fmt.Sprintf("session %s: artifacts archived\n", s.ID)})
	if err != nil {
		return err
	}
	sum.Revision = tip
	if err := a.keepSummary(sum); err != nil {
		return err
	}
	if err := a.cool(); err != nil {
		return err
	}
	_, _, err = a.Store.Discard(ctx, candidates)
	return err
}
