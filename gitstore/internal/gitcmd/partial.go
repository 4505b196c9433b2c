package gitcmd

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Locally keeps a git from fetching what is missing. Before 2.44 git does not know how
// to be told, and is not allowed any way of fetching instead.
func Locally(cmd *exec.Cmd) *exec.Cmd {
	cmd.Env = append(cmd.Env, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
	return cmd
}

// RunLocally is run, without fetching.
func RunLocally(ctx context.Context, gitDir string, args ...string) (string, error) {
	return Output(ctx, Locally(Command(ctx, gitDir, args...)), args)
}

// Left makes an error that an object was left to the remote one that wraps ErrNotFound.
func Left(err error) error {
	var failed *Error
	if errors.As(err, &failed) && strings.Contains(failed.Stderr, "promisor remote") {
		return fmt.Errorf("%w: it is missing from this clone, which is partial", ErrNotFound)
	}
	return err
}
