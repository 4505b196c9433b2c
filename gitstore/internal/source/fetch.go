package source

import (
	"context"
	"errors"
	"fmt"

	"engram/gitstore/internal/commit"
	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/history"
	"engram/gitstore/internal/remote"
	"engram/gitstore/internal/repo"
)

// SourceFetched says what a fetch of a source brought.
type SourceFetched struct {
	Before string // the earlier revision, "" if it was not fetched yet
	Now    string
	// Rewritten: Before is not in the history of Now. The history was rewritten,
	// perhaps to remove something for good.
	Rewritten bool
}

// contact runs a git command that contacts the repository of a source.
func (s *Set) contact(ctx context.Context, args ...string) (string, error) {
	// A source must not run a program, even if the user's configuration allows it.
	args = append([]string{"-c", "protocol.ext.allow=never"}, args...)
	return gitcmd.Output(ctx, s.remote.Transport(ctx, args...), args)
}

// FetchSource brings what this repository has of a source up to date; git
// transfers what is missing alone. The error wraps ErrUnreachable, ErrDenied,
// ErrNoBranch, ErrDamaged, or ErrOurs if it turns out to be this very memory.
func (s *Set) FetchSource(ctx context.Context, src Source) (SourceFetched, error) {
	var f SourceFetched
	// The configuration may have been edited, and insteadOf with it.
	address, err := s.address(ctx, src.URL)
	if err != nil {
		return f, err
	}
	if f.Before, err = s.repo.RevisionAtRef(ctx, src.Ref()); err != nil {
		return f, err
	}
	// What comes from elsewhere is checked before it is one of our objects.
	out, err := s.contact(ctx, "-c", "fetch.fsckObjects=true", "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-prune",
		"--no-recurse-submodules", "--no-auto-maintenance", "--refmap=", "--", address, "+refs/heads/"+src.Branch+":"+src.Ref())
	if err != nil {
		return f, fmt.Errorf("fetch %s: %w", src.Name, sourceError(address, out, err))
	}
	if f.Now, err = s.repo.RevisionAtRef(ctx, src.Ref()); err != nil {
		return f, err
	}
	if f.Before != "" && f.Before != f.Now {
		relation, err := s.history.Relation(ctx, f.Before, f.Now)
		if err != nil {
			return f, err
		}
		f.Rewritten = relation != history.Ahead
	}
	return f, s.checkForeign(ctx, src)
}

// checkForeign rejects a source that has commits in common with the memory of this
// repository: that is the same memory under another address.
func (s *Set) checkForeign(ctx context.Context, src Source) error {
	ours, err := s.repo.RevisionAtRef(ctx, s.repo.Ref)
	if err != nil || ours == "" {
		return err
	}
	base, err := s.repo.MergeBase(ctx, ours, src.Ref())
	if err != nil || base == "" {
		return err
	}
	// The first commit alone tells nothing: two memories that were started in
	// the same second share it.
	parent, err := s.repo.RevisionAtRef(ctx, base+"^")
	if err == nil && parent != "" {
		err = fmt.Errorf("%w: %s shares the history of %s", ErrOurs, remote.WithoutSecrets(src.URL), s.repo.Branch)
	}
	return err
}

// PushSource makes one commit of writes on top of base, the revision of the
// source that was fetched last, and brings it to the other repository. The other
// side's branch moves forward or not at all. It returns base where the writes
// change nothing. The error wraps ErrRejected if others were faster,
// ErrRefused, ErrDenied or ErrUnreachable; the other side is as it was then.
func (s *Set) PushSource(ctx context.Context, src Source, base string, writes []commit.Write, meta commit.Meta) (revision string, err error) {
	address, err := s.address(ctx, src.URL)
	if err != nil {
		return "", err
	}
	commit, base, err := s.commits.Commit(ctx, base, writes, meta)
	if err != nil || commit == base {
		return base, err
	}
	out, err := s.contact(ctx, "push", "--porcelain", "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no", "--",
		address, commit+":refs/heads/"+src.Branch)
	if err != nil {
		return "", fmt.Errorf("push to %s: %w", src.Name, sourceError(address, out, err))
	}
	// What was pushed is what a fetch would bring now; should somebody have
	// fetched meanwhile, that is newer.
	if err := s.repo.Refs.Update(ctx, src.Ref(), commit, base); err != nil && !errors.Is(err, repo.ErrMoved) {
		return commit, err
	}
	return commit, nil
}
