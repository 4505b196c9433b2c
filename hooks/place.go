package hooks

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Place is the repository of a hook.
type Place struct {
	GitDir    string // of this work tree
	CommonDir string // shared by all work trees
	WorkTree  string // "" in a bare repository
	// Open is the folder from which the memory is opened.
	Open string
}

// ErrNoRepository reports that there is no git repository.
var ErrNoRepository = errors.New("not a git repository")

// Locate finds the repository without running git: from a folder upwards, or by the
// variables of a hook: GIT_DIR, which may be relative to the folder, and GIT_WORK_TREE. A
// nil getenv ignores variables.
func Locate(dir string, getenv func(string) string) (Place, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Place{}, err
	}
	found, isFound := above(dir)
	named := ""
	if getenv != nil {
		named = getenv("GIT_DIR")
	}
	if named == "" {
		if !isFound {
			return Place{}, ErrNoRepository
		}
		return found.shared(), nil
	}
	p := Place{GitDir: absolute(named, dir), WorkTree: dir}
	if !isGitDir(p.GitDir) {
		return Place{}, ErrNoRepository
	}
	p = p.shared()
	if tree := getenv("GIT_WORK_TREE"); tree != "" {
		p.WorkTree = absolute(tree, dir)
	} else if same(dir, p.GitDir) {
		p.WorkTree = ""
	}
	p.Open = p.home()
	if isFound && same(found.GitDir, p.GitDir) {
		p.Open = dir
	}
	return p, nil
}

// above finds the repository that contains a folder.
func above(dir string) (Place, bool) {
	for start := dir; ; {
		link := filepath.Join(dir, ".git")
		if info, err := os.Stat(link); err == nil {
			gitDir := link
			if !info.IsDir() {
				gitDir = linked(link, "gitdir: ")
			}
			if isGitDir(gitDir) {
				return Place{GitDir: gitDir, WorkTree: dir, Open: start}, true
			}
		}
		if isGitDir(dir) {
			return Place{GitDir: dir, Open: start}, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return Place{}, false
		}
		dir = parent
	}
}

// shared fills in the common directory.
func (p Place) shared() Place {
	p.CommonDir = p.GitDir
	if common := linked(filepath.Join(p.GitDir, "commondir"), ""); common != "" {
		p.CommonDir = common
	}
	return p
}

// home returns the folder in which git finds a git directory by itself: its work tree if
// that is known, or the git directory.
func (p Place) home() string {
	if tree := linked(filepath.Join(p.GitDir, "gitdir"), ""); tree != "" {
		return filepath.Dir(tree)
	}
	if filepath.Base(p.GitDir) == ".git" {
		return filepath.Dir(p.GitDir)
	}
	return p.GitDir
}

// linked returns the path in one of git's files after a prefix; "" if there is none.
func linked(file, prefix string) string {
	b, err := os.ReadFile(file)
	path, ok := strings.CutPrefix(strings.TrimRight(string(b), "\r\n"), prefix)
	if err != nil || !ok || path == "" {
		return ""
	}
	return absolute(path, filepath.Dir(file))
}

func absolute(path, dir string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// isGitDir checks what git checks. The git directory of a linked work tree has no objects.
func isGitDir(dir string) bool {
	if dir == "" || !exists(filepath.Join(dir, "HEAD")) {
		return false
	}
	return exists(filepath.Join(dir, "commondir")) || exists(filepath.Join(dir, "objects")) && exists(filepath.Join(dir, "refs"))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// state returns the path of a state file of the hooks.
func (p Place) state(name string) string { return filepath.Join(p.CommonDir, "engram", "hooks", name) }

// onBranch reports whether this work tree is on a branch.
func (p Place) onBranch(branch string) bool {
	b, err := os.ReadFile(filepath.Join(p.GitDir, "HEAD"))
	return err == nil && strings.TrimSpace(string(b)) == "ref: refs/heads/"+branch
}

// realPath is a path without links, or as it is.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
