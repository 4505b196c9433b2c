package gitstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// OtherBranches counts the local branches other than the memory branch.
func (s *Store) OtherBranches(ctx context.Context) (int, error) {
	out, err := run(ctx, s.commonDir, "for-each-ref", "--format=%(refname)", "refs/heads/")
	if err != nil {
		return 0, fmt.Errorf("list branches: %w", err)
	}
	n := 0
	for ref := range strings.Lines(out) {
		if strings.TrimSpace(ref) != s.ref {
			n++
		}
	}
	return n, nil
}

// remoteWait bounds how long one remote is waited for.
const remoteWait = 5 * time.Second

// EmptyRemotes names the remotes that have no branch at all. A remote of which
// a branch was fetched before is not asked again, and one that does not answer
// in a few seconds is not counted: this guards against a mishap, it is no gate.
func (s *Store) EmptyRemotes(ctx context.Context) ([]string, error) {
	out, err := run(ctx, s.commonDir, "remote")
	if err != nil {
		return nil, fmt.Errorf("list remotes: %w", err)
	}
	var empty []string
	for _, remote := range strings.Fields(out) {
		known, err := run(ctx, s.commonDir, "for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes/"+remote+"/")
		if err != nil {
			return nil, fmt.Errorf("list branches of %s: %w", remote, err)
		}
		if strings.TrimSpace(known) != "" {
			continue
		}
		waiting, cancel := context.WithTimeout(ctx, remoteWait)
		heads, err := s.remoteHeads(waiting, remote)
		cancel()
		if err != nil {
			s.log.Warn("remote not reachable", "remote", remote, "error", err)
		} else if heads == 0 {
			empty = append(empty, remote)
		}
	}
	return empty, ctx.Err()
}

func (s *Store) remoteHeads(ctx context.Context, remote string) (int, error) {
	args := []string{"ls-remote", "--heads", "--", remote}
	out, err := output(ctx, s.transport(ctx, args...), args)
	return strings.Count(out, "\n"), transportError(err, "")
}

// RemoteBranch is a branch of the memory branch's name that was fetched from a
// remote.
type RemoteBranch struct {
	Name     string // remote/branch
	Revision string
}

// RemoteBranches lists what was fetched of the memory from remotes, origin's first.
func (s *Store) RemoteBranches(ctx context.Context) ([]RemoteBranch, error) {
	out, err := run(ctx, s.commonDir, "for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/remotes/*/"+s.branch)
	if err != nil {
		return nil, fmt.Errorf("list branches of remotes: %w", err)
	}
	var branches []RemoteBranch
	for line := range strings.Lines(out) {
		revision, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		b := RemoteBranch{name, revision}
		if name == "origin/"+s.branch {
			branches = append([]RemoteBranch{b}, branches...)
		} else {
			branches = append(branches, b)
		}
	}
	return branches, nil
}

// Tracked is the revision of the memory branch of a remote as it was last fetched;
// "" where there is none.
func (s *Store) Tracked(ctx context.Context, remote string) (string, error) {
	return s.revisionAtRef(ctx, s.trackingRef(remote))
}

// TrackingPath is the file by whose change Tracked changes; packed-refs, of
// RefPaths, is another.
func (s *Store) TrackingPath(remote string) string {
	return filepath.Join(s.commonDir, filepath.FromSlash(s.trackingRef(remote)))
}

// FetchStamp changes where another remote may be the upstream, or something may
// have been fetched from this one. It starts no git.
func (s *Store) FetchStamp(remote string) string {
	var stamp strings.Builder
	files := append(s.RefPaths()[1:], filepath.Join(s.commonDir, "config"))
	if remote != "" {
		files = append(files, s.TrackingPath(remote))
	}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			fmt.Fprintf(&stamp, "%d-%d", info.ModTime().UnixNano(), info.Size())
		}
		stamp.WriteByte(' ')
	}
	return stamp.String()
}

// BeginAt makes the memory branch, which must not exist, stand at a revision
// that is in the repository already. The error wraps ErrMoved or ErrLocked.
func (s *Store) BeginAt(ctx context.Context, revision string) error {
	if s.view {
		return fmt.Errorf("%w: %s", ErrReadOnly, s.branch)
	}
	return s.refs.update(ctx, s.ref, revision, zeroName)
}
