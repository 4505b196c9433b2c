package repo

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
)

// CheckedOutAt is the work tree that has the memory branch checked out, or is
// in the middle of rebasing it, or "". Moving a checked-out branch
// would make the next commit there delete facts. A linked work tree that was deleted does
// not count unless it is locked, as one on a removable disk is.
func (r *Repo) CheckedOutAt() string {
	if r.occupies(r.CommonDir) && !r.bareMain() {
		if r.WorkTree != "" && r.GitDir == r.CommonDir {
			return r.WorkTree
		}
		return filepath.Dir(r.CommonDir)
	}
	linked, _ := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	for _, entry := range linked {
		admin := filepath.Join(r.CommonDir, "worktrees", entry.Name())
		if !r.occupies(admin) {
			continue
		}
		link, err := os.ReadFile(filepath.Join(admin, "gitdir"))
		if err != nil {
			continue // being created or removed
		}
		tree := strings.TrimSpace(string(link))
		if !filepath.IsAbs(tree) { // worktree.useRelativePaths
			tree = filepath.Join(admin, tree)
		}
		if Exists(tree) || Exists(filepath.Join(admin, "locked")) {
			return filepath.Dir(tree)
		}
	}
	return ""
}

// occupies reports whether the work tree of gitDir is on the memory branch.
func (r *Repo) occupies(gitDir string) bool { return slices.Contains(RefsOfWorkTree(gitDir), r.Ref) }

// RefsOfWorkTree are the references that the work tree of gitDir is on, or is in the
// middle of rebasing. It reads files and starts no git.
func RefsOfWorkTree(gitDir string) (refs []string) {
	for _, at := range []struct{ file, prefix string }{
		{"HEAD", "ref: "}, {"rebase-merge/head-name", ""}, {"rebase-apply/head-name", ""},
	} {
		b, err := os.ReadFile(filepath.Join(gitDir, filepath.FromSlash(at.file)))
		if ref, ok := strings.CutPrefix(strings.TrimSpace(string(b)), at.prefix); err == nil && ok {
			refs = append(refs, ref)
		}
	}
	return refs
}

// bareMain reports whether the repository has no main work tree; HEAD then only
// names the default branch of clones. A linked work tree of a bare repository is not
// bare itself, so bareMain runs git.
func (r *Repo) bareMain() bool {
	if r.GitDir == r.CommonDir {
		return r.Bare
	}
	out, err := gitcmd.Run(context.Background(), r.CommonDir, "rev-parse", "--is-bare-repository")
	return err == nil && strings.TrimSpace(out) == "true"
}

// Exists reports whether there is anything at a path; links are not followed.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
