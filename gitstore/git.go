package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// environment is what a git that engram runs may see: everything but the GIT_*
// variables, which a hook or an alias sets for its own git and which would
// point ours at another repository, index or object store. Messages stay in
// English because some are told apart by their text.
func environment() []string {
	env := make([]string, 0, len(os.Environ())+4)
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "LC_ALL=") && !strings.HasPrefix(kv, "LANGUAGE=") {
			env = append(env, kv)
		}
	}
	return append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_LITERAL_PATHSPECS=1", "GIT_OPTIONAL_LOCKS=0")
}

// command prepares a git that runs in dir.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = environment()
	return cmd
}

// gitError is a git that failed, with the last thing it said.
type gitError struct {
	args   []string
	stderr string
	err    error
}

func (e *gitError) Error() string {
	said := lastLine(e.stderr)
	if said == "" {
		said = e.err.Error()
	}
	return fmt.Sprintf("git %s: %s", e.args[0], said)
}

func (e *gitError) Unwrap() error { return e.err }

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for _, line := range lines {
		if rest, ok := strings.CutPrefix(line, "fatal: "); ok {
			return rest
		}
	}
	return lines[len(lines)-1]
}

// run runs git in dir and returns what it printed.
func run(ctx context.Context, dir string, args ...string) (string, error) {
	return runInput(ctx, dir, nil, args...)
}

func runInput(ctx context.Context, dir string, input []byte, args ...string) (string, error) {
	cmd := command(ctx, dir, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if input != nil {
		cmd.Stdin = bytes.NewReader(input)
	}
	if err := cmd.Run(); err != nil {
		return stdout.String(), failure(ctx, args, stderr.String(), err)
	}
	return stdout.String(), nil
}

// failure puts into words why a git did not succeed.
func failure(ctx context.Context, args []string, stderr string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%w: the git command is not installed or not on PATH", ErrUnsupported)
	}
	for i, arg := range args { // name the command, not its settings
		if arg != "-c" && (i == 0 || args[i-1] != "-c") {
			args = args[i:]
			break
		}
	}
	return &gitError{args: args, stderr: stderr, err: err}
}
