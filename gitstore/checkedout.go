package gitstore

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// CheckedOutAt is the work tree that has the memory branch checked out, or is
// in the middle of rebasing it, or "". Moving the branch under it would make
// its next commit take facts away. A linked work tree that was deleted does
// not count, unless it is locked: then it is only away.
func (s *Store) CheckedOutAt() string {
	if s.occupies(s.commonDir) && !s.bareMain() {
		if s.workTree != "" && s.gitDir == s.commonDir {
			return s.workTree
		}
		return filepath.Dir(s.commonDir)
	}
	linked, _ := os.ReadDir(filepath.Join(s.commonDir, "worktrees"))
	for _, entry := range linked {
		admin := filepath.Join(s.commonDir, "worktrees", entry.Name())
		if !s.occupies(admin) {
			continue
		}
		link, err := os.ReadFile(filepath.Join(admin, "gitdir"))
		if err != nil {
			continue // half made or half removed
		}
		tree := strings.TrimSpace(string(link))
		if !filepath.IsAbs(tree) { // worktree.useRelativePaths
			tree = filepath.Join(admin, tree)
		}
		if exists(tree) || exists(filepath.Join(admin, "locked")) {
			return filepath.Dir(tree)
		}
	}
	return ""
}

// occupies reports whether the work tree of gitDir is on the memory branch.
func (s *Store) occupies(gitDir string) bool {
	for file, prefix := range map[string]string{"HEAD": "ref: ", "rebase-merge/head-name": "", "rebase-apply/head-name": ""} {
		b, err := os.ReadFile(filepath.Join(gitDir, file))
		if err == nil && strings.TrimSpace(string(b)) == prefix+s.ref {
			return true
		}
	}
	return false
}

// bareMain reports whether the repository has no main work tree, whose HEAD
// then says only what a clone begins with. A linked work tree of a bare
// repository is not bare itself, so git has to be asked.
func (s *Store) bareMain() bool {
	if s.gitDir == s.commonDir {
		return s.bare
	}
	out, err := run(context.Background(), s.commonDir, "rev-parse", "--is-bare-repository")
	return err == nil && strings.TrimSpace(out) == "true"
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
