package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"engram/gitstore/internal/gitcmd"
)

// MergeText joins two texts that grew from base line by line, as `git merge-file`
// does. The error wraps ErrClash if both changed the same lines.
func (s *Store) MergeText(ctx context.Context, base, ours, theirs []byte) ([]byte, error) {
	dir, err := os.MkdirTemp("", "engram-merge-")
	if err != nil {
		return nil, fmt.Errorf("merge texts: %w", err)
	}
	defer os.RemoveAll(dir)
	names := []string{"ours", "base", "theirs"}
	for i, data := range [][]byte{ours, base, theirs} {
		names[i] = filepath.Join(dir, names[i])
		if err := os.WriteFile(names[i], data, 0o600); err != nil {
			return nil, fmt.Errorf("merge texts: %w", err)
		}
	}
	out, err := gitcmd.Run(ctx, s.repo.CommonDir, append([]string{"merge-file", "-p", "--quiet"}, names...)...)
	// It exits with the number of conflicts, at most 127.
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 && exit.ExitCode() < 128 {
		return nil, fmt.Errorf("%w: both sides changed the same lines", ErrClash)
	}
	if err != nil {
		return nil, fmt.Errorf("merge texts: %w", err)
	}
	return []byte(out), nil
}

// Editor is the command that git is configured to edit texts with, for a shell:
// core.editor, VISUAL, EDITOR, or what this git was built with. GIT_EDITOR beats
// them and, like all variables of git, is not looked at here.
func (s *Store) Editor(ctx context.Context) (string, error) {
	out, err := gitcmd.Run(ctx, s.repo.GitDir, "var", "GIT_EDITOR")
	return strings.TrimSpace(out), err
}
