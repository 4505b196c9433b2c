package remote

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"engram/gitstore/internal/gitcmd"
)

// EmptyRemotes names the remotes that have no branch at all. A remote with a fetched
// branch is not contacted, and one that does not answer in a few seconds is not
// counted: this is a safeguard, not a guarantee.
func (c *Client) EmptyRemotes(ctx context.Context) ([]string, error) {
	out, err := gitcmd.Run(ctx, c.repo.CommonDir, "remote")
	if err != nil {
		return nil, fmt.Errorf("list remotes: %w", err)
	}
	var empty []string
	for _, remote := range strings.Fields(out) {
		if known, err := c.hasFetched(ctx, remote); err != nil {
			return nil, err
		} else if known {
			continue
		}
		if found, err := c.Look(ctx, remote); err != nil {
			c.repo.Log.Warn("remote not reachable", "remote", remote, "error", err)
		} else if found == (Looked{}) {
			empty = append(empty, remote)
		}
	}
	return empty, ctx.Err()
}

// hasFetched reports whether any branch was fetched from a remote.
func (c *Client) hasFetched(ctx context.Context, remote string) (bool, error) {
	ref, err := gitcmd.Run(ctx, c.repo.CommonDir, "for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes/"+remote+"/")
	if err != nil {
		return false, fmt.Errorf("list branches of %s: %w", remote, err)
	}
	return strings.TrimSpace(ref) != "", nil
}

// heads asks a remote for its branches.
func (c *Client) heads(ctx context.Context, remote string) (found Looked, err error) {
	args := []string{"ls-remote", "--heads", "--", remote}
	out, err := gitcmd.Output(ctx, c.Transport(ctx, args...), args)
	if err != nil {
		return found, TransportError(err, "")
	}
	for line := range strings.Lines(out) {
		_, ref, _ := strings.Cut(strings.TrimSpace(line), "\t")
		found.Memory = found.Memory || ref == c.repo.Ref
		found.Others = found.Others || ref != c.repo.Ref
	}
	return found, nil
}

// RemoteBranch is a branch of the memory branch's name that was fetched from a
// remote.
type RemoteBranch struct {
	Name     string // remote/branch
	Revision string
}

// RemoteBranches lists what was fetched of the memory from remotes, origin's first.
func (c *Client) RemoteBranches(ctx context.Context) ([]RemoteBranch, error) {
	out, err := gitcmd.Run(ctx, c.repo.CommonDir, "for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/remotes/*/"+c.repo.Branch)
	if err != nil {
		return nil, fmt.Errorf("list branches of remotes: %w", err)
	}
	var branches []RemoteBranch
	for line := range strings.Lines(out) {
		revision, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		b := RemoteBranch{name, revision}
		if name == "origin/"+c.repo.Branch {
			branches = append([]RemoteBranch{b}, branches...)
		} else {
			branches = append(branches, b)
		}
	}
	return branches, nil
}

// Tracked is the revision of the memory branch of a remote as it was last fetched;
// "" if there is none.
func (c *Client) Tracked(ctx context.Context, remote string) (string, error) {
	return c.repo.RevisionAtRef(ctx, c.trackingRef(remote))
}

// TrackingPath is the file by whose change Tracked changes; packed-refs, of
// RefPaths, is another.
func (c *Client) TrackingPath(remote string) string {
	return filepath.Join(c.repo.CommonDir, filepath.FromSlash(c.trackingRef(remote)))
}

// FetchStamp returns a value that changes when another remote may be the upstream,
// or something may have been fetched from this one. It starts no git.
func (c *Client) FetchStamp(remote string) string {
	var stamp strings.Builder
	files := append(c.repo.RefPaths()[1:], filepath.Join(c.repo.CommonDir, "config"))
	if remote != "" {
		files = append(files, c.TrackingPath(remote))
	}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			fmt.Fprintf(&stamp, "%d-%d", info.ModTime().UnixNano(), info.Size())
		}
		stamp.WriteByte(' ')
	}
	return stamp.String()
}
