package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// environment is what a git that engram runs may see: everything but the GIT_*
// variables (transportEnvironment lets some of them in), which a hook or an alias sets for its own git and which would
// point ours at another repository, index or object store. Messages stay in
// English because some are told apart by their text. Replacement objects stay
// out of the way: a commit has to build on what is stored, not on its stand-in.
// ENGRAM_INSIDE keeps the hooks that this git runs from starting another engram.
func environment() []string {
	env := make([]string, 0, len(os.Environ())+6)
	for _, kv := range os.Environ() {
		if (!strings.HasPrefix(kv, "GIT_") || configurationFile(kv)) && !strings.HasPrefix(kv, "LC_ALL=") && !strings.HasPrefix(kv, "LANGUAGE=") {
			env = append(env, kv)
		}
	}
	// Hooks that engram installed see by ENGRAM_INSIDE that it is engram that
	// runs this git, and do nothing.
	return append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_LITERAL_PATHSPECS=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1", "ENGRAM_INSIDE=1")
}

// configurationFile reports whether a variable says where the user's and the
// system's configuration are. They belong to the person, not to a repository,
// and no hook sets them.
func configurationFile(kv string) bool {
	name, _, _ := strings.Cut(kv, "=")
	return name == "GIT_CONFIG_GLOBAL" || name == "GIT_CONFIG_SYSTEM" || name == "GIT_CONFIG_NOSYSTEM"
}

// lingering is how long a git that ended, or was told to, may keep its pipes
// open through a child of its own, such as the ssh of a fetch.
const lingering = 2 * time.Second

// find prepares a git that looks for its repository from dir upwards.
func find(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = environment()
	cmd.WaitDelay = lingering
	return cmd
}

// command prepares a git for the git directory gitDir. It is named rather than
// found, because safe.bareRepository=explicit forbids finding one from inside.
func command(ctx context.Context, gitDir string, args ...string) *exec.Cmd {
	return find(ctx, gitDir, append([]string{"--git-dir=" + gitDir}, args...)...)
}

// gitError is a git that failed, with what it said.
type gitError struct {
	args   []string
	stderr string
	err    error
}

func (e *gitError) Error() string {
	said := reason(e.stderr)
	if said == "" {
		said = e.err.Error()
	}
	return fmt.Sprintf("git %s: %s", e.args[0], said)
}

func (e *gitError) Unwrap() error { return e.err }

// reason is the line of git's messages that says why it gave up.
func reason(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for _, line := range lines {
		if rest, ok := strings.CutPrefix(line, "fatal: "); ok {
			return rest
		}
	}
	return strings.TrimPrefix(lines[len(lines)-1], "error: ")
}

// run runs git on the git directory gitDir and returns what it printed.
func run(ctx context.Context, gitDir string, args ...string) (string, error) {
	return output(ctx, command(ctx, gitDir, args...), args)
}

func runInput(ctx context.Context, gitDir string, input []byte, args ...string) (string, error) {
	cmd := command(ctx, gitDir, args...)
	cmd.Stdin = bytes.NewReader(input)
	return output(ctx, cmd, args)
}

func output(ctx context.Context, cmd *exec.Cmd, args []string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
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

// checkRevision refuses what git would take for an option, or for the index.
func checkRevision(revision string) error {
	if revision == "" || revision[0] == '-' || revision[0] == ':' || strings.ContainsAny(revision, "\n\x00") {
		return fmt.Errorf("%w: %q is no revision", ErrNotFound, revision)
	}
	return nil
}
