package code

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"engram/facts"
	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
	"engram/internal/lazyregexp"
)

// ErrMemoryCommit: the commit belongs to a memory, not to the code. Readers of
// code get ErrNotFound with it, so that reading code never bypasses the permissions of
// facts.
var ErrMemoryCommit = errors.New("the commit belongs to a memory, not to the code")

var commitName = lazyregexp.New(`^[0-9a-f]{7,64}$`)

// CommitOf is the full name of a commit of the code that is given by 7 or more digits of
// it. The error wraps ErrNotFound if none, or more than one, has them here: it was
// never fetched, lies beyond the end of a shallow clone, or was rebased away and pruned;
// and also ErrMemoryCommit if it belongs to a memory.
func (r *Reader) CommitOf(ctx context.Context, digits string) (string, error) {
	if !commitName.MatchString(digits) {
		return "", fmt.Errorf("%w: %.60q is not the name of a commit", gitcmd.ErrNotFound, digits)
	}
	obj, err := r.repo.Code.Get(ctx, digits+"^{commit}", object.MaxCommit)
	err = gitcmd.Left(err)
	byAnotherName := err == nil && !strings.HasPrefix(obj.Name, digits) // of a branch or tag
	if byAnotherName || errors.Is(err, gitcmd.ErrNotFound) {
		return "", fmt.Errorf("%w: no commit %s in this repository", gitcmd.ErrNotFound, digits)
	}
	if err != nil {
		return "", fmt.Errorf("look up commit %s: %w", digits, err)
	}
	return obj.Name, r.refuseMemory(ctx, obj.Name)
}

// CommitNamed is the full name of a commit of the code by any name that git knows, such
// as a branch or HEAD~2. The error wraps what that of CommitOf does.
func (r *Reader) CommitNamed(ctx context.Context, name string) (string, error) {
	if err := gitcmd.CheckRevision(name); err != nil {
		return "", err
	}
	out, err := gitcmd.Run(ctx, r.repo.GitDir, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil && gitcmd.SaidNo(err) || err == nil && strings.TrimSpace(out) == "" {
		return "", fmt.Errorf("%w: no commit %.60q in this repository", gitcmd.ErrNotFound, name)
	}
	if err != nil {
		return "", fmt.Errorf("look up commit %.60q: %w", name, err)
	}
	commit := strings.TrimSpace(out)
	return commit, r.refuseMemory(ctx, commit)
}

// refuseMemory is an ErrMemoryCommit if a commit is of a memory.
func (r *Reader) refuseMemory(ctx context.Context, commit string) error {
	_, err := r.codeTree(ctx, commit)
	if errors.Is(err, ErrMemoryCommit) {
		return err
	}
	return nil // the reader of the commit reports other errors
}

// codeTree is the root of a commit of the code. A commit belongs to a memory if its
// root has an entry with the name of the manifest, even a damaged one or one of a later
// format. So no branch, reference, remote or replaced history needs to be known by name.
func (r *Reader) codeTree(ctx context.Context, commit string) (tree string, err error) {
	if tree, err = r.repo.RootTree(ctx, commit); err != nil {
		return "", err
	}
	entries, err := r.repo.Tree(ctx, tree)
	if err != nil {
		return "", err
	}
	for _, folder := range []bool{false, true} {
		if _, found := object.FindEntry(entries, facts.ManifestPath, folder); found {
			return "", fmt.Errorf("%w: %w: %s", gitcmd.ErrNotFound, ErrMemoryCommit, commit)
		}
	}
	return tree, nil
}

// OnMemory reports whether this work tree is at a commit of a memory, by whatever branch.
func (r *Reader) OnMemory(ctx context.Context) (bool, error) {
	_, commit, err := r.Head(ctx)
	if err != nil || commit == "" {
		return false, err
	}
	return r.refuseMemory(ctx, commit) != nil, nil
}
