package repo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// Tip is the newest revision of the memory branch. The error wraps ErrNoBranch
// where the branch does not exist, ErrDamaged where it points to nothing.
func (r *Repo) Tip(ctx context.Context) (string, error) {
	obj, err := r.Cat.Get(ctx, r.Ref, object.MaxCommit)
	if errors.Is(err, gitcmd.ErrNotFound) {
		return "", r.noTip(ctx)
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", r.Ref, err)
	}
	if _, err := object.TreeOf(obj); err != nil {
		return "", fmt.Errorf("%w: %s: %w", gitcmd.ErrDamaged, r.Ref, err)
	}
	return obj.Name, nil
}

// noTip tells a branch that is not there from one that a crash of the machine
// or a lost object broke: beginning that one anew would hide the facts in it.
func (r *Repo) noTip(ctx context.Context) error {
	args := []string{"rev-parse", "--verify", "--quiet", r.Ref}
	cmd := gitcmd.Command(ctx, r.CommonDir, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if name := strings.TrimSpace(string(out)); err == nil && name != "" {
		return fmt.Errorf("%w: %s is at %s, which is missing; `git fsck` and `git reflog show %s` tell more", gitcmd.ErrDamaged, r.Ref, name, r.Branch)
	}
	if strings.Contains(stderr.String(), "broken ref") {
		return fmt.Errorf("%w: the file of %s holds no revision; `git reflog show %s` tells where it stood", gitcmd.ErrDamaged, r.Ref, r.Branch)
	}
	return fmt.Errorf("%w: %s does not exist", ErrNoBranch, r.Branch)
}
