package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/secret"
)

// result is what a command line gave.
type result struct {
	stdout, stderr string
	status         int
}

// runHere runs a command line in this process, on pipes, without any ENGRAM_*
// variables.
func runHere(stdin string, args ...string) result { return runWith(nil, stdin, args...) }

// runWith is runHere with variables of the environment.
func runWith(env map[string]string, stdin string, args ...string) result {
	var stdout, stderr bytes.Buffer
	status := run(args, &app.App{
		Out: &term.Streams{
			In: strings.NewReader(stdin), Data: bufio.NewWriter(&stdout), Stdout: &stdout, Err: &stderr,
			Width: 80, Now: time.Now, Progress: term.NewProgress(&stderr, false, time.Now),
		},
		Getenv:     func(name string) string { return env[name] },
		Executable: func() (string, error) { return "", errors.New("no program of its own") },
		Now:        time.Now, Scanner: secret.New(),
	})
	return result{stdout.String(), stderr.String(), status}
}

// testRepo makes a repository with one commit.
func testRepo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", dir)
	for _, args := range [][]string{
		{"init", "--quiet", "-b", "main"}, {"config", "user.name", "Ada"}, {"config", "user.email", "ada@example.com"},
		{"config", "gc.auto", "0"}, {"commit", "--quiet", "--allow-empty", "-m", "code"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return dir
}
