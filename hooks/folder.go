package hooks

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Errors of installing hooks.
var (
	// ErrElsewhere reports a hooks folder outside this repository.
	ErrElsewhere = errors.New("the hooks folder is outside this repository")
	// ErrVersioned reports hooks that belong to the project.
	ErrVersioned = errors.New("the hooks are part of the project")
	// ErrBare reports a repository in which nobody commits or merges.
	ErrBare = errors.New("a bare repository without work trees")
	// ErrForeign reports a hook that engram can neither extend nor move.
	ErrForeign = errors.New("an existing hook is in the way")
)

// folder returns where git looks for hooks: core.hooksPath, relative to the top of the work
// tree, or the repository's own folder.
func (p Place) folder(ctx context.Context) (string, error) {
	out, err := git(ctx, p.top(), nil, "", "rev-parse", "--path-format=absolute", "--git-path", "hooks")
	if err != nil {
		return "", fmt.Errorf("find the hooks folder: %w", err)
	}
	return filepath.FromSlash(strings.TrimSuffix(out, "\n")), nil
}

// top returns the folder in which git runs the hooks of this work tree.
func (p Place) top() string {
	if p.WorkTree != "" {
		return p.WorkTree
	}
	return p.GitDir
}

// ours reports whether the hooks in a folder may be changed. tree is the work tree of the
// folder, "" if the folder is in the git directory.
//
//  1. In the git directory: yes.
//  2. In a work tree of the repository: versioned decides for each file.
//  3. Elsewhere, such as a core.hooksPath for all repositories of a user: no.
func (p Place) ours(dir string) (tree string, err error) {
	real := resolved(dir)
	if within(real, resolved(p.CommonDir)) || within(real, resolved(p.GitDir)) {
		return "", nil
	}
	for _, tree := range p.trees() {
		if tree != "" && within(real, resolved(tree)) {
			return resolved(tree), nil
		}
	}
	return "", fmt.Errorf("%w: core.hooksPath is %s", ErrElsewhere, dir)
}

// trees lists the work trees of the repository.
func (p Place) trees() []string {
	trees := []string{p.WorkTree}
	if filepath.Base(p.CommonDir) == ".git" {
		trees = append(trees, filepath.Dir(p.CommonDir))
	}
	links, _ := filepath.Glob(filepath.Join(p.CommonDir, "worktrees", "*", "gitdir"))
	for _, link := range links {
		if tree := linked(link, ""); tree != "" {
			trees = append(trees, filepath.Dir(tree))
		}
	}
	return trees
}

// versioned returns ErrVersioned if files in a work tree are tracked, or not ignored and so
// likely to be added.
func versioned(ctx context.Context, tree string, files []string) error {
	names := make([]string, 0, len(files))
	for _, f := range files {
		name, err := filepath.Rel(tree, resolved(f))
		if err != nil {
			return err
		}
		names = append(names, filepath.ToSlash(name))
	}
	tracked, err := git(ctx, tree, nil, "", append([]string{"ls-files", "-z", "--"}, names...)...)
	if err != nil {
		return fmt.Errorf("check whether hooks are tracked: %w", err)
	}
	if first, _, any := strings.Cut(tracked, "\x00"); any {
		return fmt.Errorf("%w: %s is tracked by git", ErrVersioned, first)
	}
	ignored, err := git(ctx, tree, []string{"GIT_LITERAL_PATHSPECS=0"}, strings.Join(names, "\x00")+"\x00", "check-ignore", "-z", "--stdin")
	if err != nil && !saidNo(err) {
		return fmt.Errorf("check whether hooks are ignored: %w", err)
	}
	if strings.Count(ignored, "\x00") < len(names) {
		return fmt.Errorf("%w: %s is in the work tree and git does not ignore it", ErrVersioned, filepath.Dir(names[0]))
	}
	return nil
}

// resolved resolves links in the part of a path that exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolved(parent), filepath.Base(path))
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
