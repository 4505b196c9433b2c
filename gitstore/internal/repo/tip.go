package repo

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// Tip is the newest revision of the memory branch. The error wraps ErrNoBranch
// if the branch does not exist, ErrDamaged if it points to nothing.
func (r *Repo) Tip(ctx context.Context) (string, error) {
	obj, err := r.Cat.Get(ctx, r.Ref, object.MaxCommit)
	if errors.Is(err, gitcmd.ErrNotFound) {
		return r.noTip(ctx)
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", r.Ref, err)
	}
	if _, err := object.TreeOf(obj); err != nil {
		return "", fmt.Errorf("%w: %s: %w", gitcmd.ErrDamaged, r.Ref, err)
	}
	return obj.Name, nil
}

// noTip tells a branch that is not there from one that a crash of the machine or a lost
// object broke, because starting it again would hide the facts in it, and from one that
// somebody has just begun, whose tip it returns.
func (r *Repo) noTip(ctx context.Context) (string, error) {
	args := []string{"rev-parse", "--verify", "--quiet", r.Ref}
	cmd := gitcmd.Command(ctx, r.CommonDir, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if name := strings.TrimSpace(string(out)); err == nil && name != "" {
		if _, err := r.Cat.Get(ctx, name, object.MaxCommit); err == nil {
			return name, nil
		}
		return "", fmt.Errorf("%w: %s is at %s, which is missing; see `git fsck` and `git reflog show %s`", gitcmd.ErrDamaged, r.Ref, name, r.Branch)
	}
	if strings.Contains(stderr.String(), "broken ref") {
		return "", fmt.Errorf("%w: the file of %s holds no revision; `git reflog show %s` lists its earlier revisions", gitcmd.ErrDamaged, r.Ref, r.Branch)
	}
	return "", fmt.Errorf("%w: %s does not exist", ErrNoBranch, r.Branch)
}

// Contains reports whether a commit is, or descends from, another.
func (r *Repo) Contains(ctx context.Context, commit, ancestor string) (bool, error) {
	_, err := gitcmd.Run(ctx, r.CommonDir, "merge-base", "--is-ancestor", ancestor, commit)
	if err != nil && !gitcmd.SaidNo(err) {
		return false, fmt.Errorf("compare %s with %s: %w", ancestor, commit, err)
	}
	return err == nil, nil
}

// MergeBase is the best common ancestor of two commits, or "" if they have none. Of
// several, git chooses one.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := gitcmd.Run(ctx, r.CommonDir, "merge-base", a, b)
	if err != nil && !gitcmd.SaidNo(err) {
		return "", fmt.Errorf("find the common ancestor of %s and %s: %w", a, b, err)
	}
	return strings.TrimSpace(out), nil
}

// MergeBases are the best common ancestors of one commit and of what a merge
// of the others would contain, in order of their names: git's order depends on
// which side is asked first. It is empty if the histories are unrelated, as
// after two people each began a memory; the error wraps ErrShallow if they
// only seem so, because the clone's history was cut off.
func (r *Repo) MergeBases(ctx context.Context, one string, others ...string) ([]string, error) {
	out, err := gitcmd.Run(ctx, r.CommonDir, append([]string{"merge-base", "--all", one}, others...)...)
	var failed *gitcmd.Error
	var exit *exec.ExitError
	if errors.As(err, &failed) && errors.As(failed.Err, &exit) && exit.ExitCode() == 1 && failed.Stderr == "" {
		return nil, r.checkUnrelated(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("find the common ancestors: %w", err)
	}
	bases := strings.Fields(out)
	slices.Sort(bases)
	return bases, nil
}

func (r *Repo) checkUnrelated(ctx context.Context) error {
	out, err := gitcmd.Run(ctx, r.CommonDir, "rev-parse", "--is-shallow-repository")
	if err == nil && strings.TrimSpace(out) == "true" {
		return fmt.Errorf("%w, and no common ancestor is in it: run `git fetch --unshallow`, or --deepen by enough", ErrShallow)
	}
	return err
}
