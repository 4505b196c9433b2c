package remote

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
)

// refsAtOnce is how many references are named to one git: their names fit into a command
// line on every system.
const refsAtOnce = 200

// ListRefs asks a remote for the references that match a pattern: the reference, in full,
// and the object it is at. The error wraps ErrNoRemote, ErrUnreachable or ErrDenied.
func (c *Client) ListRefs(ctx context.Context, remote, pattern string) (map[string]string, error) {
	if err := c.checkRemote(ctx, remote); err != nil {
		return nil, err
	}
	args := []string{"ls-remote", "--refs", "--", remote, pattern}
	out, err := gitcmd.Output(ctx, c.Transport(ctx, args...), args)
	if err := TransportError(err, ""); err != nil {
		return nil, fmt.Errorf("list %s of %s: %w", pattern, remote, err)
	}
	all := make(map[string]string, strings.Count(out, "\n"))
	for line := range strings.Lines(out) {
		name, ref, _ := strings.Cut(strings.TrimSpace(line), "\t")
		all[ref] = name
	}
	return all, nil
}

// FetchRefs brings references of a remote to where tracking says, and nothing else, as
// Fetch does with the memory branch. The error is one of Fetch, or ErrNotThere if the
// remote does not have one of them.
func (c *Client) FetchRefs(ctx context.Context, remote string, refs []string, tracking func(ref string) string) error {
	if err := c.checkRemote(ctx, remote); err != nil {
		return err
	}
	for part := range slices.Chunk(refs, refsAtOnce) {
		var specs []string
		for _, ref := range part {
			specs = append(specs, "+"+ref+":"+tracking(ref))
		}
		if err := c.fetch(ctx, remote, specs...); err != nil {
			return fmt.Errorf("fetch from %s: %w", remote, err)
		}
	}
	return nil
}

// PushRefs sends references to those of the same names at a remote, never forced, and
// returns those at which the remote has commits that are missing here. A remote
// without any branch is refused. The error is one of Push, except ErrRejected.
func (c *Client) PushRefs(ctx context.Context, remote string, refs []string) (rejected []string, err error) {
	if err := c.checkRemote(ctx, remote); err != nil || len(refs) == 0 {
		return nil, err
	}
	if known, err := c.hasFetched(ctx, remote); err != nil {
		return nil, err
	} else if !known {
		found, err := c.heads(ctx, remote)
		if err == nil && found == (Looked{}) {
			err = fmt.Errorf("%w: push the code or the memory first", ErrEmptyRemote)
		}
		if err != nil {
			return nil, fmt.Errorf("push to %s: %w", remote, err)
		}
	}
	for part := range slices.Chunk(refs, refsAtOnce) {
		var specs []string
		for _, ref := range part {
			specs = append(specs, ref+":"+ref)
		}
		out, err := c.push(ctx, remote, specs...)
		left, others := verdicts(out)
		rejected = append(rejected, left...)
		if len(left) > 0 && !others {
			continue // what was rejected is why git failed
		}
		if err := TransportError(err, onlyRefused(out)); err != nil {
			return rejected, fmt.Errorf("push to %s: %w", remote, err)
		}
	}
	return rejected, nil
}

// ReplaceRef puts a commit, or a reference here, at a reference of a remote, forced if the
// remote has it at old ("": has none). The error is one of Push.
func (c *Client) ReplaceRef(ctx context.Context, remote, source, ref, old string) error {
	if err := c.checkRemote(ctx, remote); err != nil {
		return err
	}
	args := []string{"-c", "remote." + remote + ".mirror=false", "push", "--porcelain", "--no-verify", "--no-follow-tags", "--no-signed",
		"--force-with-lease=" + ref + ":" + old, "--recurse-submodules=no", "--", remote, source + ":" + ref}
	out, err := gitcmd.Output(ctx, c.Transport(ctx, args...), args)
	if err := TransportError(err, out); err != nil {
		return fmt.Errorf("push to %s: %w", remote, err)
	}
	return nil
}

// verdicts reads from the lines of `git push --porcelain` which references were
// rejected because the remote has other commits, and whether any was for another reason.
func verdicts(out string) (rejected []string, others bool) {
	for line := range strings.Lines(out) {
		_, kind := pushVerdict(line)
		switch {
		case kind == ErrRejected:
			spec := strings.Split(strings.TrimSpace(line), "\t")[1]
			_, ref, _ := strings.Cut(spec, ":")
			rejected = append(rejected, ref)
		case kind != nil:
			others = true
		}
	}
	return rejected, others
}

// onlyRefused leaves the lines of `git push --porcelain` that do not speak of references
// that were rejected because the remote has other commits.
func onlyRefused(out string) string {
	var left []string
	for line := range strings.Lines(out) {
		if _, kind := pushVerdict(line); kind != ErrRejected {
			left = append(left, line)
		}
	}
	return strings.Join(left, "")
}
