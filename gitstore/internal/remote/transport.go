package remote

import (
	"context"
	"errors"
	"fmt"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/repo"
)

// Fetched is what a fetch found at a remote.
type Fetched struct {
	Ref    string // where the remote's memory branch is kept here: refs/remotes/REMOTE/BRANCH
	Found  bool   // whether the remote has the branch
	Before string // the revision at Ref before, "" if there was none
	After  string // the revision at Ref now
}

// fetchTries is how often a fetch that met another one is repeated.
const fetchTries = 4

// Fetch brings the memory branch of a remote to refs/remotes/REMOTE/BRANCH, and
// nothing else: no tags, no other branches, no submodules, no pruning, and
// FETCH_HEAD stays what the user's last fetch made it. Nor does git's own
// maintenance follow; a merge looks after that, in the background.
//
// If the remote has no such branch, Found is false and the fetched branch stays: it
// may be the only copy of some facts. The error wraps
// ErrNoRemote, ErrUnreachable, ErrDenied or ErrLocked.
func (c *Client) Fetch(ctx context.Context, remote string) (Fetched, error) {
	got := Fetched{Ref: c.trackingRef(remote)}
	if err := c.checkRemote(ctx, remote); err != nil {
		return got, err
	}
	var err error
	if got.Before, err = c.repo.RevisionAtRef(ctx, got.Ref); err != nil {
		return got, err
	}
	for attempt := range fetchTries {
		err = c.fetch(ctx, remote, "+"+c.repo.Ref+":"+got.Ref)
		if !errors.Is(err, gitcmd.ErrLocked) || attempt == fetchTries-1 {
			break
		}
		if err := gitcmd.BackOff(ctx, attempt+3); err != nil {
			return got, err
		}
	}
	if got.Found = err == nil; errors.Is(err, ErrNotThere) {
		err = nil
	}
	if err != nil {
		return got, fmt.Errorf("fetch from %s: %w", remote, err)
	}
	got.After, err = c.repo.RevisionAtRef(ctx, got.Ref)
	if err == nil && got.Found {
		c.durable.Store(got.After, got.Before)
	}
	return got, err
}

func (c *Client) fetch(ctx context.Context, remote string, refspecs ...string) error {
	// The plus: the tracking reference says what the remote has, also after
	// it was rewound there. The empty refmap keeps configured refspecs out.
	// What arrives is synced as it is written: a merge is going to depend on it.
	args := []string{"-c", "core.fsync=loose-object,pack,pack-metadata", "-c", "core.fsyncMethod=fsync", "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance",
		"--no-prune", "--no-show-forced-updates", "--refmap=", "--", remote}
	args = append(args, refspecs...)
	_, err := gitcmd.Output(ctx, c.Transport(ctx, args...), args)
	return TransportError(err, "")
}

// Push sends the memory branch to the branch of the same name at a remote,
// never forced; git then moves its tracking reference too. The error wraps
// ErrNoBranch, ErrNoRemote, ErrEmptyRemote, ErrRejected, ErrRefused,
// ErrUnreachable or ErrDenied.
//
// The user's pre-push hook does not run: it is about code, may take minutes to
// test it, and memory was scanned for secrets before it was written.
func (c *Client) Push(ctx context.Context, remote string) error {
	if err := c.checkRemote(ctx, remote); err != nil {
		return err
	}
	if _, err := c.repo.Tip(ctx); err != nil {
		return err
	}
	if err := c.checkNotEmpty(ctx, remote); err != nil {
		return fmt.Errorf("push to %s: %w", remote, err)
	}
	out, err := c.push(ctx, remote, c.repo.Ref+":"+c.repo.Ref)
	if err := TransportError(err, out); err != nil {
		return fmt.Errorf("push to %s: %w", remote, err)
	}
	return nil
}

// push returns what git says of each reference.
func (c *Client) push(ctx context.Context, remote string, refspecs ...string) (string, error) {
	// A remote that mirrors would force the push, and rejects the refspec.
	args := []string{"-c", "remote." + remote + ".mirror=false", "push", "--porcelain", "--no-verify", "--no-follow-tags", "--no-signed",
		"--no-force-with-lease", "--recurse-submodules=no", "--", remote}
	args = append(args, refspecs...)
	return gitcmd.Output(ctx, c.Transport(ctx, args...), args)
}

// checkNotEmpty keeps the memory from becoming a remote's only, and thereby
// default, branch. A remote with a fetched branch is not contacted.
func (c *Client) checkNotEmpty(ctx context.Context, remote string) error {
	if tracked, err := c.Tracked(ctx, remote); err != nil || tracked != "" {
		return err
	}
	if known, err := c.hasFetched(ctx, remote); err != nil || known {
		return err
	}
	if alone, err := c.Dedicated(ctx, remote); err != nil || alone {
		return err // it is there for the memory, which may well be what its clones begin with
	}
	found, err := c.heads(ctx, remote)
	if err != nil {
		return err
	}
	if found == (Looked{}) {
		return fmt.Errorf("%w: push the code first; otherwise clones would check out the memory", ErrEmptyRemote)
	}
	return nil
}

// Standing counts the commits of the memory branch that are not in what was
// last fetched from or pushed to a remote (ahead), and the reverse (behind). No
// remote is contacted. A branch that does not exist has no commits.
func (c *Client) Standing(ctx context.Context, remote string) (ahead, behind int, err error) {
	tip, err := c.repo.Tip(ctx)
	if err != nil && !errors.Is(err, repo.ErrNoBranch) {
		return 0, 0, err
	}
	theirs, err := c.repo.RevisionAtRef(ctx, c.trackingRef(remote))
	if err != nil || tip == theirs {
		return 0, 0, err
	}
	switch {
	case tip == "":
		behind, _, err = c.count(ctx, theirs)
	case theirs == "":
		ahead, _, err = c.count(ctx, tip)
	default:
		ahead, behind, err = c.count(ctx, "--left-right", tip+"..."+theirs)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("compare with %s: %w", remote, err)
	}
	return ahead, behind, nil
}

// count is what `git rev-list --count` prints: one number, or two.
func (c *Client) count(ctx context.Context, args ...string) (one, two int, err error) {
	out, err := gitcmd.Run(ctx, c.repo.CommonDir, append(append([]string{"rev-list", "--count"}, args...), "--")...)
	if err != nil {
		return 0, 0, err
	}
	if _, err = fmt.Sscan(out, &one); err == nil && len(args) > 1 {
		_, err = fmt.Sscan(out, &one, &two)
	}
	return one, two, err
}

func (c *Client) checkRemote(ctx context.Context, remote string) error {
	if _, checked := c.checked.Load(remote); checked {
		return nil
	}
	remotes, err := c.Remotes(ctx)
	if err == nil && !known(remotes, remote) {
		err = fmt.Errorf("%w: %q", ErrNoRemote, withoutPassword(remote))
	}
	if err == nil {
		c.checked.Store(remote, true)
	}
	return err
}
