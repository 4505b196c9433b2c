package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
)

// Track writes, once, what makes plain git bring the memory along: a refspec by
// which `git fetch` follows the branch at the remote, unless one there does so
// already, and the branch's own remote and merge, by which `git pull` and `git
// status` know where it belongs, unless they are set. It returns what it added,
// each as "key = value". The error wraps ErrNoRemote or ErrLocked.
func (c *Client) Track(ctx context.Context, remote string) ([]string, error) {
	settings, err := c.settings(ctx)
	if err != nil {
		return nil, err
	}
	if !known(remotesOf(settings), remote) {
		return nil, fmt.Errorf("%w: %q", ErrNoRemote, remote)
	}
	var added []string
	add := func(key, value string) error {
		if _, err := gitcmd.Run(ctx, c.repo.CommonDir, "config", "--add", key, value); err != nil {
			return fmt.Errorf("set %s: %w", key, lockedConfig(err))
		}
		added = append(added, key+" = "+value)
		return nil
	}
	fetch := "remote." + remote + ".fetch"
	if !slices.ContainsFunc(settings[fetch], func(spec string) bool { return brings(spec, c.repo.Ref, c.trackingRef(remote)) }) {
		if err := add(fetch, "+"+c.repo.Ref+":"+c.trackingRef(remote)); err != nil {
			return added, err
		}
	}
	for _, set := range [][2]string{{"remote", remote}, {"merge", c.repo.Ref}} {
		key := "branch." + c.repo.Branch + "." + set[0]
		if settings.Last(key) != "" {
			continue
		}
		if err := add(key, set[1]); err != nil {
			return added, err
		}
	}
	return added, nil
}

// brings reports whether a fetch refspec puts what the remote has at ref to
// tracking. A ^refspec that leaves the branch out counts as well: the user
// wants it left out.
func brings(spec, ref, tracking string) bool {
	if left, ok := strings.CutPrefix(spec, "^"); ok {
		_, out := matches(left, ref)
		return out
	}
	from, to, _ := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
	part, ok := matches(from, ref)
	return ok && strings.Replace(to, "*", part, 1) == tracking
}

// matches reports whether a pattern with at most one star is ref, and what the
// star stands for.
func matches(pattern, ref string) (string, bool) {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return "", pattern == ref
	}
	if len(ref) < len(before)+len(after) || !strings.HasPrefix(ref, before) || !strings.HasSuffix(ref, after) {
		return "", false
	}
	return ref[len(before) : len(ref)-len(after)], true
}

func lockedConfig(err error) error {
	var failed *gitcmd.Error
	if errors.As(err, &failed) && strings.Contains(failed.Stderr, "could not lock config file") {
		return fmt.Errorf("%w: %s", gitcmd.ErrLocked, gitcmd.Reason(failed.Stderr))
	}
	return err
}
