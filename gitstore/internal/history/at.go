package history

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"engram/gitstore/internal/gitcmd"
)

// RevisionAt is the newest commit on the branch's first-parent line, seen from
// a revision, that was made at a moment or before it. The error wraps
// ErrNotFound where the branch is younger.
func (h *Reader) RevisionAt(ctx context.Context, from string, at time.Time) (string, error) {
	if err := gitcmd.CheckRevision(from); err != nil {
		return "", err
	}
	out, err := gitcmd.Run(ctx, h.repo.CommonDir, "rev-list", "--first-parent", "--max-count=1", "--before="+at.UTC().Format(time.RFC3339), from, "--")
	if err != nil {
		return "", fmt.Errorf("look for the revision of %s: %w", at.Format(time.RFC3339), err)
	}
	if out = strings.TrimSpace(out); out == "" {
		return "", fmt.Errorf("%w: %s has no commit before %s", gitcmd.ErrNotFound, h.repo.Branch, at.Format(time.RFC3339))
	}
	return out, nil
}

// Ancestor is the full name of a commit, given by any name that git knows,
// in the history of a revision. The error wraps ErrNotFound where it is none.
func (h *Reader) Ancestor(ctx context.Context, name, of string) (string, error) {
	if err := gitcmd.CheckRevision(name); err != nil {
		return "", err
	}
	out, err := gitcmd.Run(ctx, h.repo.CommonDir, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	commit := strings.TrimSpace(out)
	var failed *gitcmd.Error
	if errors.As(err, &failed) || err == nil && commit == "" {
		return "", fmt.Errorf("%w: %q is no commit", gitcmd.ErrNotFound, name)
	}
	if err != nil {
		return "", err
	}
	if _, err = gitcmd.Run(ctx, h.repo.CommonDir, "merge-base", "--is-ancestor", commit, of); errors.As(err, &failed) {
		return "", fmt.Errorf("%w: %s is no commit of %s", gitcmd.ErrNotFound, name, h.repo.Branch)
	}
	return commit, err
}
