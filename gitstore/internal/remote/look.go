package remote

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"engram/gitstore/internal/gitcmd"
)

// remoteWait is the timeout of a request to one remote.
const remoteWait = 5 * time.Second

// Looked is what was found at a remote without fetching anything.
type Looked struct {
	Memory bool // it has a branch of the memory branch's name
	Others bool // and it has other branches
}

// Look asks a remote, by its name or its address, for its branches, for
// remoteWait at most. The error wraps ErrUnreachable or ErrDenied.
func (c *Client) Look(ctx context.Context, remote string) (Looked, error) {
	wait, cancel := context.WithTimeoutCause(ctx, remoteWait, fmt.Errorf("%w: no answer in %s", ErrUnreachable, remoteWait))
	defer cancel()
	found, err := c.heads(wait, remote)
	if err != nil {
		return Looked{}, fmt.Errorf("look at %s: %w", WithoutSecrets(remote), err)
	}
	return found, nil
}

// Address is where git finds a remote: after url.*.insteadOf, without what only
// the user may use, and absolute if it is a path, so that it means the same to
// other users of this machine.
func (c *Client) Address(ctx context.Context, remote string) (string, error) {
	if err := c.checkRemote(ctx, remote); err != nil {
		return "", err
	}
	address, err := c.Resolve(ctx, remote)
	if err != nil {
		return "", fmt.Errorf("find the address of %s: %w", remote, err)
	}
	address = WithoutSecrets(address)
	if _, _, ssh := sshAddress(address); !ssh && !strings.Contains(address, "://") && !filepath.IsAbs(address) {
		address = filepath.Join(cmp.Or(c.repo.WorkTree, c.repo.CommonDir), address)
	}
	return address, nil
}

// Resolve is what git makes of a remote or an address by its configuration (insteadOf).
func (c *Client) Resolve(ctx context.Context, address string) (string, error) {
	out, err := gitcmd.Run(ctx, c.repo.CommonDir, "ls-remote", "--get-url", "--", address)
	return strings.TrimSuffix(out, "\n"), err
}

// Dedicated reports whether a remote is there for the memory alone: nothing but
// the memory branch is fetched from it.
func (c *Client) Dedicated(ctx context.Context, remote string) (bool, error) {
	settings, err := c.settings(ctx)
	if err != nil {
		return false, err
	}
	specs := settings["remote."+remote+".fetch"]
	for _, spec := range specs {
		from, _, _ := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
		if from != c.repo.Ref && from != c.repo.Ref+"-proposed" {
			return false, nil
		}
	}
	return len(specs) > 0, nil
}

// RemoveRemote removes a remote, with what was fetched from it.
func (c *Client) RemoveRemote(ctx context.Context, name string) error {
	if _, err := gitcmd.Run(ctx, c.repo.CommonDir, "remote", "remove", name); err != nil {
		return fmt.Errorf("remove remote %s: %w", name, lockedConfig(err))
	}
	return nil
}
