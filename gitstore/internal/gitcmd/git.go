// Package gitcmd runs git: with an environment of its own, as one command or as a
// process that answers requests until it is closed, and it describes why a command
// failed. It knows no repository; package repo does.
package gitcmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// SaidNo reports whether a git exited with status 1, which means "no" or "none" for
// many of its commands.
func SaidNo(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 1
}

// Pipe runs a git whose output is read while it comes.
func Pipe(ctx context.Context, cmd *exec.Cmd, args []string, read func(*bufio.Reader) error) error {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return Failure(ctx, args, "", err)
	}
	readErr := read(bufio.NewReaderSize(stdout, 256<<10))
	_, _ = io.Copy(io.Discard, stdout)
	if err := cmd.Wait(); err != nil {
		return Failure(ctx, args, stderr.String(), err)
	}
	return readErr
}

// Environment is what a git that engram runs may see: everything but the GIT_*
// variables (Find, Identity and transportEnvironment each let some of them in), which a hook or an alias sets for its own git and which would
// point ours at another repository, index or object store. Messages stay in
// English because some are told apart by their text. Replacement objects stay
// out of the way: a commit has to build on what is stored, not on its stand-in.
// ENGRAM_INSIDE keeps the hooks that this git runs from starting another engram.
func Environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_") && !configurationFile(kv) || strings.HasPrefix(kv, "LC_ALL=") || strings.HasPrefix(kv, "LANGUAGE=")
	})
	// Hooks that engram installed see by ENGRAM_INSIDE that it is engram that
	// runs this git, and do nothing.
	return append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_LITERAL_PATHSPECS=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1", "ENGRAM_INSIDE=1")
}

// identityVariables say who commits, and when; ceilingVariables where git stops to look
// for a repository. A person or a container sets them, often instead of a configuration.
var (
	identityVariables = []string{
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE",
		"GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE",
	}
	ceilingVariables = []string{"GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"}
)

// withVariables lets a git see those of the variables that are set.
func withVariables(cmd *exec.Cmd, names []string) *exec.Cmd {
	for _, name := range names {
		if value, set := os.LookupEnv(name); set {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	return cmd
}

// Identity prints one of git's variables about who commits (git var), as GIT_AUTHOR_* and
// GIT_COMMITTER_* of the environment, and otherwise the configuration, say.
func Identity(ctx context.Context, gitDir, variable string) (string, error) {
	args := []string{"var", variable}
	return Output(ctx, withVariables(Command(ctx, gitDir, args...), identityVariables), args)
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

// Find prepares a git that looks for its repository from dir upwards, as far as the
// environment permits (GIT_CEILING_DIRECTORIES).
func Find(ctx context.Context, dir string, args ...string) *exec.Cmd {
	return withVariables(in(ctx, dir, args...), ceilingVariables)
}

func in(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = Environment()
	cmd.WaitDelay = lingering
	return cmd
}

// Command prepares a git for the git directory gitDir. It is named rather than
// found, because safe.bareRepository=explicit forbids finding one from inside.
func Command(ctx context.Context, gitDir string, args ...string) *exec.Cmd {
	return in(ctx, gitDir, append([]string{"--git-dir=" + gitDir}, args...)...)
}

// Error is a git that failed, with what it said.
type Error struct {
	Args   []string
	Stderr string
	Err    error
}

func (e *Error) Error() string {
	said := Reason(e.Stderr)
	if said == "" {
		said = e.Err.Error()
	}
	return fmt.Sprintf("git %s: %s", e.Args[0], said)
}

func (e *Error) Unwrap() error { return e.Err }

// Reason is the line of git's messages that says why it gave up.
func Reason(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for _, line := range lines {
		if rest, ok := strings.CutPrefix(line, "fatal: "); ok {
			return rest
		}
	}
	return strings.TrimPrefix(lines[len(lines)-1], "error: ")
}

// Run runs git on the git directory gitDir and returns what it printed.
func Run(ctx context.Context, gitDir string, args ...string) (string, error) {
	return Output(ctx, Command(ctx, gitDir, args...), args)
}

// RunInput is Run with input for git to read.
func RunInput(ctx context.Context, gitDir string, input []byte, args ...string) (string, error) {
	cmd := Command(ctx, gitDir, args...)
	cmd.Stdin = bytes.NewReader(input)
	return Output(ctx, cmd, args)
}

// Output runs a command and returns what it printed. args are git's own, for messages.
func Output(ctx context.Context, cmd *exec.Cmd, args []string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), Failure(ctx, args, stderr.String(), err)
	}
	return stdout.String(), nil
}

// Failure describes why a git command failed.
func Failure(ctx context.Context, args []string, stderr string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%w: git is not installed or not on PATH", ErrUnsupported)
	}
	for i, arg := range args { // name the command, not its settings
		if arg != "-c" && (i == 0 || args[i-1] != "-c") {
			args = args[i:]
			break
		}
	}
	return &Error{Args: args, Stderr: stderr, Err: err}
}

// CheckRevision rejects a revision that git would take for an option or the index.
func CheckRevision(revision string) error {
	if revision == "" || revision[0] == '-' || revision[0] == ':' || strings.ContainsAny(revision, "\n\x00") {
		return fmt.Errorf("%w: %q is not a revision", ErrNotFound, revision)
	}
	return nil
}

// BackOff sleeps 5 ms the first time, twice as long each further time up to 80
// ms, give or take half of it so that losers do not meet again. Longer waits
// would not help against a script that commits without pause, and all that
// time the other writers of engram wait as well.
func BackOff(ctx context.Context, attempt int) error {
	d := 5 * time.Millisecond << min(attempt, 4)
	select {
	case <-time.After(d/2 + rand.N(d)):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Locally keeps a git from fetching what is missing. Before 2.44 git does not know how
// to be told, and is not allowed any way of fetching instead.
func Locally(cmd *exec.Cmd) *exec.Cmd {
	cmd.Env = append(cmd.Env, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
	return cmd
}

// RunLocally is Run without fetching.
func RunLocally(ctx context.Context, gitDir string, args ...string) (string, error) {
	return Output(ctx, Locally(Command(ctx, gitDir, args...)), args)
}

// Left makes an error that an object was left to the remote one that wraps ErrNotFound.
func Left(err error) error {
	var failed *Error
	if errors.As(err, &failed) && strings.Contains(failed.Stderr, "promisor remote") {
		return fmt.Errorf("%w: it is missing from this partial clone", ErrNotFound)
	}
	return err
}
