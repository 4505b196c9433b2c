package gitstore

import (
	"context"
	"strings"

	"engram/gitstore/internal/gitcmd"
)

// Editor is the command that git is configured to edit texts with, for a shell:
// core.editor, VISUAL, EDITOR, or what this git was built with. GIT_EDITOR beats
// them and, like all variables of git, is not looked at here.
func (s *Store) Editor(ctx context.Context) (string, error) {
	out, err := gitcmd.Run(ctx, s.repo.GitDir, "var", "GIT_EDITOR")
	return strings.TrimSpace(out), err
}
