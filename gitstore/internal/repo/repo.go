// Package repo opens a repository and reads what its revisions hold: the tip of the
// memory branch, trees, files and merge bases. It also moves references, one at a
// time. It makes no objects.
package repo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// Repo is an open repository with its memory branch. It is safe for concurrent
// use; what is exported of it is not changed once it is open.
type Repo struct {
	Branch    string // the memory branch, without refs/heads/
	Ref       string // the memory branch in full
	GitDir    string // of the work tree
	CommonDir string // the git directory that all work trees share
	WorkTree  string // "" in a bare repository or inside a git directory
	Bare      bool
	Objects   object.Dir
	Log       *slog.Logger

	Cat   *gitcmd.CatFile
	Code  *gitcmd.CatFile // reads the code: Cat, but in a partial clone one that fetches nothing
	Refs  *RefUpdater
	trees *treeCache
}

// Open finds the repository that dir is in: from any folder of a work tree,
// linked ones included, or from a bare repository. The error wraps
// ErrNotRepository, gitcmd.ErrUnsupported or ErrBranchName.
func Open(ctx context.Context, dir, branch string, log *slog.Logger) (*Repo, error) {
	if err := CheckBranchName(branch); err != nil {
		return nil, err
	}
	r := &Repo{Branch: branch, Ref: "refs/heads/" + branch, Log: log}
	if err := r.discover(ctx, cmp.Or(dir, ".")); err != nil {
		return nil, err
	}
	r.start()
	return r, nil
}

// start gives the repository git processes of its own. They run in the common
// directory, because a linked work tree may be removed meanwhile.
func (r *Repo) start() {
	r.Cat = gitcmd.NewCatFile(r.CommonDir)
	r.Code = r.Cat
	if partial(r.CommonDir) {
		r.Code = gitcmd.NewLocalCatFile(r.CommonDir)
	}
	r.Refs = &RefUpdater{commonDir: r.CommonDir, zero: r.Objects.Format.Zero(), turn: gitcmd.NewTurn()}
	r.trees = &treeCache{}
}

// Beside is another branch of the same repository, with git processes of its
// own. Close it, too.
func (r *Repo) Beside(branch string) (*Repo, error) {
	if err := CheckBranchName(branch); err != nil {
		return nil, err
	}
	other := r.OnRef("refs/heads/"+branch, branch)
	other.start()
	return other, nil
}

// OnRef is the same repository with another reference, in full, in the place of
// the memory branch. It shares the git processes of r and ends with them.
func (r *Repo) OnRef(ref, name string) *Repo {
	other := *r
	other.Branch, other.Ref, other.trees = name, ref, &treeCache{}
	return &other
}

// Close ends the git processes, each after the call that it is busy with.
func (r *Repo) Close() error {
	err := errors.Join(r.Cat.Close(), r.Refs.close())
	if r.Code != r.Cat {
		err = errors.Join(err, r.Code.Close())
	}
	return err
}

// DefaultBranch is the name of the memory branch unless another is configured.
const DefaultBranch = "engram"

// CheckBranchName rejects the names that git rejects (git check-ref-format) as far
// as they could do harm before git sees them.
func CheckBranchName(name string) error {
	bad := strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || strings.ContainsRune("~^:?*[\\\x7f", r) })
	if bad || strings.HasPrefix(name, "-") || strings.HasPrefix(name, "/") || strings.Contains(name, "..") ||
		strings.Contains(name, "//") || strings.Contains(name, "@{") || strings.HasSuffix(name, "/") ||
		strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, ".") {
		return fmt.Errorf("%w: %q", ErrBranchName, name)
	}
	return nil
}

// RefPaths are the files in which git may move the branch: loose, packed, or
// the table of a reftable repository. They belong to all work trees together.
func (r *Repo) RefPaths() []string {
	return []string{
		filepath.Join(r.CommonDir, filepath.FromSlash(r.Ref)),
		filepath.Join(r.CommonDir, "packed-refs"),
		filepath.Join(r.CommonDir, "reftable", "tables.list"),
	}
}

// partial reports whether this clone leaves objects to a remote, which git would fetch
// one by one as they are read (git clone --filter). It goes by the words that such a
// configuration has, and may be wrong about one that has them elsewhere: reads are the
// same then, in one more process.
func partial(commonDir string) bool {
	config, err := os.ReadFile(filepath.Join(commonDir, "config"))
	config = bytes.ToLower(config)
	return err == nil && (bytes.Contains(config, []byte("promisor")) || bytes.Contains(config, []byte("partialclone")))
}

var (
	// ErrNotRepository: the directory is in no git repository.
	ErrNotRepository = errors.New("not a git repository")
	// ErrBranchName: git would not take the name for a branch.
	ErrBranchName = errors.New("not a valid branch name")
	// ErrNoBranch: the memory branch does not exist.
	ErrNoBranch = errors.New("no memory branch")
	// ErrMoved: another writer moved the branch first. Nothing was changed.
	ErrMoved = errors.New("the memory branch moved")
	// ErrShallow: what has to be known lies beyond the end of a shallow clone's history.
	ErrShallow = errors.New("the clone's history is cut off")
)
