package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// discover fills in the directories of the repository that dir is in.
func (r *Repo) discover(ctx context.Context, dir string) error {
	args := []string{"rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir",
		"--git-path", "objects", "--show-object-format", "--is-bare-repository", "--is-inside-work-tree", "--show-cdup"}
	out, err := gitcmd.Output(ctx, gitcmd.Find(ctx, dir, args...), args)
	if err != nil {
		return repositoryError(dir, err)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) < 6 || len(lines) > 7 || !filepath.IsAbs(lines[0]) {
		return fmt.Errorf("%w: git rev-parse answered %q; git %s or newer is needed, and a path without line breaks", gitcmd.ErrUnsupported, out, MinimumGit)
	}
	r.GitDir, r.CommonDir, r.Objects = lines[0], lines[1], object.Dir{Path: lines[2], GitDir: lines[1]}
	if err := r.checkFormat(lines[3]); err != nil {
		return err
	}
	r.Bare = lines[4] == "true"
	if lines[5] == "true" && len(lines) > 6 {
		top := dir
		if cdup := lines[6]; cdup != "" {
			top = cdup
			if !filepath.IsAbs(top) {
				top = filepath.Join(dir, top)
			}
		}
		if r.WorkTree, err = filepath.Abs(top); err != nil {
			return fmt.Errorf("find the work tree: %w", err)
		}
	}
	return nil
}

// ErrFormat is an ErrUnsupported: git knows the repository's format, engram does not.
var ErrFormat = fmt.Errorf("%w", gitcmd.ErrUnsupported)

// checkFormat notes the format of objects, and rejects what git supports and engram does not.
func (r *Repo) checkFormat(objects string) error {
	format, known := object.FormatNamed(objects)
	if !known {
		return fmt.Errorf("%w: its object format is %s, and engram supports sha1 and sha256; keep the memory in a separate repository, created with git init --object-format=sha256", ErrFormat, objects)
	}
	r.Objects.Format = format
	// A git that knows reftable opens it, but whether the branch is checked out
	// and whether the reference is durable is read off files here.
	if Exists(filepath.Join(r.CommonDir, "reftable")) {
		return fmt.Errorf("%w: its references use the reftable format, and engram supports only files; convert them with git refs migrate --ref-format=files", ErrFormat)
	}
	return nil
}

// repositoryError classifies why git did not open a repository.
func repositoryError(dir string, err error) error {
	if info, statErr := os.Stat(dir); statErr != nil {
		return fmt.Errorf("%w: %w", ErrNotRepository, statErr)
	} else if !info.IsDir() {
		return fmt.Errorf("%w: %s is not a directory", ErrNotRepository, dir)
	}
	var git *gitcmd.Error
	if !errors.As(err, &git) {
		return err
	}
	said := gitcmd.Reason(git.Stderr)
	switch {
	case strings.Contains(said, "not a git repository"):
		return fmt.Errorf("%w: %s", ErrNotRepository, dir)
	case strings.Contains(git.Stderr, "refstorage"):
		return fmt.Errorf("%w: its references use a format that this git does not know (reftable), and engram supports only files; convert them with git refs migrate --ref-format=files of git 2.46 or newer", gitcmd.ErrUnsupported)
	case strings.Contains(said, "extension"), strings.Contains(said, "xpected git repo version"),
		strings.Contains(said, "unknown ref storage format"):
		return fmt.Errorf("%w: this git cannot read it: %s", gitcmd.ErrUnsupported, said)
	case strings.Contains(said, "dubious ownership"):
		_, path, _ := strings.Cut(said, "repository at '")
		return &gitcmd.OwnershipError{Path: strings.TrimSuffix(path, "'")}
	case strings.Contains(said, "safe.bareRepository"):
		return fmt.Errorf("%w: git rejects it: %s; see safe.bareRepository in git help config", gitcmd.ErrUnsupported, said)
	}
	return fmt.Errorf("%w: %w", ErrNotRepository, err)
}
