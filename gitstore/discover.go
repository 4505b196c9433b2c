package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func (s *Store) discover(ctx context.Context, dir string) error {
	args := []string{"rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir",
		"--git-path", "objects", "--show-object-format", "--is-bare-repository", "--is-inside-work-tree", "--show-cdup"}
	out, err := output(ctx, find(ctx, dir, args...), args)
	if err != nil {
		return repositoryError(dir, err)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) < 6 || len(lines) > 7 || !filepath.IsAbs(lines[0]) {
		return fmt.Errorf("%w: git rev-parse answered %q; git %s or newer is needed, and a path without line breaks", ErrUnsupported, out, MinimumGit)
	}
	s.gitDir, s.commonDir, s.objects = lines[0], lines[1], lines[2]
	if err := s.checkFormat(lines[3]); err != nil {
		return err
	}
	s.bare = lines[4] == "true"
	if lines[5] == "true" && len(lines) > 6 {
		top := dir
		if cdup := lines[6]; cdup != "" {
			top = cdup
			if !filepath.IsAbs(top) {
				top = filepath.Join(dir, top)
			}
		}
		if s.workTree, err = filepath.Abs(top); err != nil {
			return fmt.Errorf("find the work tree: %w", err)
		}
	}
	return nil
}

// checkFormat refuses what git reads and engram does not (yet) write.
func (s *Store) checkFormat(objects string) error {
	if objects != "sha1" {
		return fmt.Errorf("%w: its objects are named by %s, and engram writes sha1 only; keep the memory in a repository of its own, made with git init --object-format=sha1", ErrUnsupported, objects)
	}
	// A git that knows reftable opens it, but whether the branch is checked out
	// and whether the reference is durable is read off files here.
	if exists(filepath.Join(s.commonDir, "reftable")) {
		return fmt.Errorf("%w: its references are in reftable, and engram needs them in files; git refs migrate --ref-format=files converts it", ErrUnsupported)
	}
	return nil
}

// repositoryError tells apart why git would not open a repository.
func repositoryError(dir string, err error) error {
	if info, statErr := os.Stat(dir); statErr != nil {
		return fmt.Errorf("%w: %w", ErrNotRepository, statErr)
	} else if !info.IsDir() {
		return fmt.Errorf("%w: %s is no folder", ErrNotRepository, dir)
	}
	var git *gitError
	if !errors.As(err, &git) {
		return err
	}
	said := reason(git.stderr)
	switch {
	case strings.Contains(said, "not a git repository"):
		return fmt.Errorf("%w: %s", ErrNotRepository, dir)
	case strings.Contains(git.stderr, "refstorage"):
		return fmt.Errorf("%w: its references are in a format that this git does not know (reftable), and engram needs them in files; git refs migrate --ref-format=files of git 2.46 or newer converts it", ErrUnsupported)
	case strings.Contains(said, "extension"), strings.Contains(said, "xpected git repo version"),
		strings.Contains(said, "unknown ref storage format"):
		return fmt.Errorf("%w: this git cannot read it: %s", ErrUnsupported, said)
	case strings.Contains(said, "dubious ownership"), strings.Contains(said, "safe.bareRepository"):
		return fmt.Errorf("%w: git refuses it: %s; git help config says under safe.directory and safe.bareRepository how to allow it", ErrUnsupported, said)
	}
	return fmt.Errorf("%w: %w", ErrNotRepository, err)
}
