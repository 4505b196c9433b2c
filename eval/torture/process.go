package torture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// identity is the configuration of git below a folder, so that nothing of whoever runs
// the tests takes part.
const identity = "[user]\n\tname = Ada\n\temail = ada@example.com\n[gc]\n\tauto = 0\n[init]\n\tdefaultBranch = main\n"

// command prepares a process that is killed, with all that it starts, when ctx ends.
func command(ctx context.Context, home, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+filepath.Join(home, ".gitconfig"))
	cmd.WaitDelay = 5 * time.Second
	group(cmd)
	return cmd
}

// failure is a process that ended with another status than 0.
type failure struct {
	status int
	said   string
}

func (f *failure) Error() string { return fmt.Sprintf("exit status %d: %s", f.status, f.said) }

// output runs a process, and returns what it printed on standard output.
func output(cmd *exec.Cmd) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = &failure{status: exit.ExitCode(), said: strings.TrimSpace(stderr.String())}
	}
	return stdout.String(), err
}

// newClones makes a bare repository and clones of it below dir, which have one commit,
// and returns the clones' folders.
func newClones(ctx context.Context, dir string, n int) (clones []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitconfig"), []byte(identity), 0o644); err != nil {
		return nil, err
	}
	for i := range n {
		clones = append(clones, filepath.Join(dir, fmt.Sprint("clone", i)))
	}
	remote := filepath.Join(dir, "remote.git")
	steps := [][]string{
		{dir, "init", "-q", "--bare", remote},
		{dir, "clone", "-q", remote, clones[0]},
		{clones[0], "commit", "-q", "--allow-empty", "-m", "begin"},
		{clones[0], "push", "-q", "origin", "HEAD"},
	}
	for _, clone := range clones[1:] {
		steps = append(steps, []string{dir, "clone", "-q", remote, clone})
	}
	for _, s := range steps {
		if _, err := output(command(ctx, dir, s[0], "git", s[1:]...)); err != nil {
			return nil, fmt.Errorf("git %s: %w", s[1], err)
		}
	}
	return clones, nil
}
