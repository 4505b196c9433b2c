package hooks

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// maxChanged bounds the number of changed files.
const maxChanged = 200

// ChangedFiles lists the files that somebody works on, relative to the top of the
// repository: staged, changed and new files, then the files that differ from where the
// branch left the trunk. Files that git does not report in time are missing.
func ChangedFiles(ctx context.Context, p Place, branch, trunk string, within time.Duration) []string {
	if p.WorkTree == "" || p.onBranch(branch) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	committed := make(chan string, 1)
	go func() {
		ref := trunkOf(p, trunk)
		if ref == "" {
			committed <- ""
			return
		}
		out, _ := agentGit(ctx, p, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules", ref+"...HEAD")
		committed <- out
	}()
	status, _ := agentGit(ctx, p, "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules")
	var changed, untracked []string
	for entry := range strings.SplitSeq(status, "\x00") {
		if len(entry) < 4 {
			continue
		}
		if name := entry[3:]; strings.HasPrefix(entry, "??") {
			untracked = append(untracked, name)
		} else {
			changed = append(changed, name)
		}
	}
	changed = append(changed, untracked[:min(len(untracked), maxChanged/4)]...)
	seen := make(map[string]bool)
	var list []string
	for _, name := range append(changed, strings.Split(<-committed, "\x00")...) {
		if name != "" && !seen[name] && len(list) < maxChanged {
			seen[name] = true
			list = append(list, name)
		}
	}
	return list
}

// agentGit asks git about the work tree. It starts no background process and no program
// that the repository names.
func agentGit(ctx context.Context, p Place, args ...string) (string, error) {
	args = append([]string{"--git-dir=" + p.GitDir, "--work-tree=" + p.WorkTree, "-c", "core.fsmonitor=false"}, args...)
	return git(ctx, p.WorkTree, nil, "", args...)
}

// trunkOf returns the reference of the branch that work is merged into, the fetched one if
// there is one: the configured branch, or origin's default, or main or master. It does not
// run git; "" if none is found.
func trunkOf(p Place, trunk string) string {
	names := []string{"main", "master"}
	if trunk != "" {
		names = []string{trunk}
	} else if b, err := os.ReadFile(filepath.Join(p.CommonDir, "refs", "remotes", "origin", "HEAD")); err == nil {
		if ref, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "ref: refs/remotes/origin/"); ok {
			names = append([]string{ref}, names...)
		}
	}
	for _, name := range names {
		for _, prefix := range []string{"refs/remotes/origin/", "refs/remotes/", "refs/heads/"} {
			if valueOf(p, prefix+name) != "" {
				return prefix + name
			}
		}
	}
	return ""
}
