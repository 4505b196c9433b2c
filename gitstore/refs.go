package gitstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Tip is the newest revision of the memory branch. The error wraps ErrNoBranch
// where the branch does not exist, ErrDamaged where it points to nothing.
func (s *Store) Tip(ctx context.Context) (string, error) {
	obj, err := s.cat.get(ctx, s.ref, maxCommit)
	if errors.Is(err, ErrNotFound) {
		return "", s.noTip(ctx)
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", s.ref, err)
	}
	if _, err := treeOf(obj); err != nil {
		return "", fmt.Errorf("%w: %s: %w", ErrDamaged, s.ref, err)
	}
	return obj.name, nil
}

// noTip tells a branch that is not there from one that a crash of the machine
// or a lost object broke: beginning that one anew would hide the facts in it.
func (s *Store) noTip(ctx context.Context) error {
	args := []string{"rev-parse", "--verify", "--quiet", s.ref}
	cmd := command(ctx, s.commonDir, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if name := strings.TrimSpace(string(out)); err == nil && name != "" {
		return fmt.Errorf("%w: %s is at %s, which is missing; `git fsck` and `git reflog show %s` tell more", ErrDamaged, s.ref, name, s.branch)
	}
	if strings.Contains(stderr.String(), "broken ref") {
		return fmt.Errorf("%w: the file of %s holds no revision; `git reflog show %s` tells where it stood", ErrDamaged, s.ref, s.branch)
	}
	return fmt.Errorf("%w: %s does not exist", ErrNoBranch, s.branch)
}

// maxCommit bounds a commit object: an import lists one line a fact.
const maxCommit = 64 << 20

// treeOf is the name of a commit's tree.
func treeOf(obj object) (string, error) {
	rest, ok := strings.CutPrefix(string(obj.data[:min(len(obj.data), 46)]), "tree ")
	if obj.kind != "commit" || !ok || len(rest) < 40 {
		return "", fmt.Errorf("%s is a %s, not a commit", obj.name, obj.kind)
	}
	return rest[:40], nil
}
