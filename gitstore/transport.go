package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Fetched is what a fetch found at a remote.
type Fetched struct {
	Ref    string // where the remote's memory branch is kept here: refs/remotes/REMOTE/BRANCH
	Found  bool   // whether the remote has the branch
	Before string // the revision at Ref before, "" where there was none
	After  string // the revision at Ref now
}

// fetchTries is how often a fetch that met another one is repeated.
const fetchTries = 4

// Fetch brings the memory branch of a remote to refs/remotes/REMOTE/BRANCH, and
// nothing else: no tags, no other branches, no submodules, no pruning, and
// FETCH_HEAD stays what the user's last fetch made it. Nor does git's own
// maintenance follow; a merge looks after that, in the background.
//
// Where the remote has no such branch, Found is false and what was fetched
// before stays: it may be all that is left of somebody's facts. The error wraps
// ErrNoRemote, ErrUnreachable, ErrDenied or ErrLocked.
func (s *Store) Fetch(ctx context.Context, remote string) (Fetched, error) {
	got := Fetched{Ref: s.trackingRef(remote)}
	if err := s.checkRemote(ctx, remote); err != nil {
		return got, err
	}
	var err error
	if got.Before, err = s.revisionAtRef(ctx, got.Ref); err != nil {
		return got, err
	}
	for attempt := range fetchTries {
		err = s.fetch(ctx, remote, got.Ref)
		if !errors.Is(err, ErrLocked) || attempt == fetchTries-1 {
			break
		}
		if err := backOff(ctx, attempt+3); err != nil {
			return got, err
		}
	}
	if got.Found = err == nil; errors.Is(err, errNotThere) {
		err = nil
	}
	if err != nil {
		return got, fmt.Errorf("fetch from %s: %w", remote, err)
	}
	got.After, err = s.revisionAtRef(ctx, got.Ref)
	if err == nil && got.Found {
		s.durable.Store(got.After, got.Before)
	}
	return got, err
}

func (s *Store) fetch(ctx context.Context, remote, to string) error {
	// The plus: the tracking reference says what the remote has, also after
	// somebody rewound it there. The empty refmap keeps configured refspecs out.
	// What arrives is synced as it is written: a merge is going to depend on it.
	args := []string{"-c", "core.fsync=loose-object,pack,pack-metadata", "-c", "core.fsyncMethod=fsync", "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance",
		"--no-prune", "--no-show-forced-updates", "--refmap=", "--", remote, "+" + s.ref + ":" + to}
	_, err := output(ctx, s.transport(ctx, args...), args)
	return transportError(err, "")
}

// Push sends the memory branch to the branch of the same name at a remote,
// never forced; git then moves its tracking reference too. The error wraps
// ErrNoBranch, ErrNoRemote, ErrEmptyRemote, ErrRejected, ErrRefused,
// ErrUnreachable or ErrDenied.
//
// The user's pre-push hook does not run: it is about code, may take minutes to
// test it, and memory was scanned for secrets before it was written.
func (s *Store) Push(ctx context.Context, remote string) error {
	if err := s.checkRemote(ctx, remote); err != nil {
		return err
	}
	if _, err := s.Tip(ctx); err != nil {
		return err
	}
	if err := s.checkNotEmpty(ctx, remote); err != nil {
		return fmt.Errorf("push to %s: %w", remote, err)
	}
	// A remote that mirrors would force, and refuses the refspec.
	args := []string{"-c", "remote." + remote + ".mirror=false", "push", "--porcelain", "--no-verify", "--no-follow-tags", "--no-signed",
		"--no-force-with-lease", "--recurse-submodules=no", "--", remote, s.ref + ":" + s.ref}
	out, err := output(ctx, s.transport(ctx, args...), args)
	if err := transportError(err, out); err != nil {
		return fmt.Errorf("push to %s: %w", remote, err)
	}
	return nil
}

// checkNotEmpty keeps the memory from becoming a remote's only, and thereby
// default, branch. A remote of which some branch is known is not asked.
func (s *Store) checkNotEmpty(ctx context.Context, remote string) error {
	if tracked, err := s.Tracked(ctx, remote); err != nil || tracked != "" {
		return err
	}
	known, err := run(ctx, s.commonDir, "for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes/"+remote+"/")
	if err != nil || strings.TrimSpace(known) != "" {
		return err
	}
	settings, err := s.settings(ctx)
	if err != nil {
		return err
	}
	if only := "+" + s.ref + ":" + s.trackingRef(remote); slices.Equal(settings["remote."+remote+".fetch"], []string{only}) {
		return nil // it is there for the memory alone
	}
	heads, err := s.remoteHeads(ctx, remote)
	if err != nil {
		return err
	}
	if alone, err := s.Dedicated(ctx, remote); err != nil || alone {
		return err // it is there for the memory, which may well be what its clones begin with
	}
	if heads == 0 {
		return fmt.Errorf("%w: push the code first, or its clones would begin with the memory", ErrEmptyRemote)
	}
	return nil
}

// Standing counts the commits of the memory branch that are not in what was
// last fetched from or pushed to a remote (ahead), and the reverse (behind). No
// remote is asked. What does not exist has no commits.
func (s *Store) Standing(ctx context.Context, remote string) (ahead, behind int, err error) {
	tip, err := s.Tip(ctx)
	if err != nil && !errors.Is(err, ErrNoBranch) {
		return 0, 0, err
	}
	theirs, err := s.revisionAtRef(ctx, s.trackingRef(remote))
	if err != nil || tip == theirs {
		return 0, 0, err
	}
	switch {
	case tip == "":
		behind, _, err = s.count(ctx, theirs)
	case theirs == "":
		ahead, _, err = s.count(ctx, tip)
	default:
		ahead, behind, err = s.count(ctx, "--left-right", tip+"..."+theirs)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("compare with %s: %w", remote, err)
	}
	return ahead, behind, nil
}

// count is what `git rev-list --count` prints: one number, or two.
func (s *Store) count(ctx context.Context, args ...string) (one, two int, err error) {
	out, err := run(ctx, s.commonDir, append(append([]string{"rev-list", "--count"}, args...), "--")...)
	if err != nil {
		return 0, 0, err
	}
	if _, err = fmt.Sscan(out, &one); err == nil && len(args) > 1 {
		_, err = fmt.Sscan(out, &one, &two)
	}
	return one, two, err
}

func (s *Store) checkRemote(ctx context.Context, remote string) error {
	if _, checked := s.checked.Load(remote); checked {
		return nil
	}
	remotes, err := s.Remotes(ctx)
	if err == nil && !known(remotes, remote) {
		err = fmt.Errorf("%w: %q", ErrNoRemote, withoutPassword(remote))
	}
	if err == nil {
		s.checked.Store(remote, true)
	}
	return err
}

// revisionAtRef is the commit at a reference, or "" where there is none.
func (s *Store) revisionAtRef(ctx context.Context, ref string) (string, error) {
	obj, err := s.cat.get(ctx, ref+"^{commit}", maxCommit)
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	return obj.name, err
}
