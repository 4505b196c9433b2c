package repo

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
)

// MergeBases are the best common ancestors of one commit and of what a merge
// of the others would contain, in order of their names: git's order depends on
// which side is asked first. It is empty where the histories are unrelated, as
// after two people each began a memory; the error wraps ErrShallow where they
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
