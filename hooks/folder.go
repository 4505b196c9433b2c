package hooks

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// What keeps hooks from being installed.
var (
	// ErrElsewhere: git looks for hooks in a folder that is not this repository's.
	ErrElsewhere = errors.New("the hooks folder is outside this repository")
	// ErrVersioned: the hooks are part of the project.
	ErrVersioned = errors.New("the hooks are part of the project")
	// ErrBare: nobody commits or merges there.
	ErrBare = errors.New("a bare repository without work trees")
	// ErrForeign: a hook that engram can neither join nor set aside.
	ErrForeign = errors.New("an existing hook is in the way")
)

// folder is where git looks for hooks: core.hooksPath, seen from the top of the
// work tree, or the repository's own.
func (p Place) folder(ctx context.Context) (string, error) {
	out, err := git(ctx, p.top(), nil, "", "rev-parse", "--path-format=absolute", "--git-path", "hooks")
	if err != nil {
		return "", fmt.Errorf("find the hooks folder: %w", err)
	}
	return filepath.FromSlash(strings.TrimSuffix(out, "\n")), nil
}

// top is where git runs the hooks of this work tree.
func (p Place) top() string {
	if p.WorkTree != "" {
		return p.WorkTree
	}
	return p.GitDir
}

// ours reports whether a folder of hooks is this repository's to change. tree is
// the work tree that it is in, "" if it is in the git directory.
//
//  1. In the git directory: it is.
//  2. In a work tree of the repository: it may be, file by file.
//  3. Elsewhere, as with a core.hooksPath of all repositories of a user: not.
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

// trees are the work trees of the repository.
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

// versioned reports whether files in a work tree are the project's: tracked, or
// not ignored and so about to be.
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

// resolved follows links as far as the path exists.
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
