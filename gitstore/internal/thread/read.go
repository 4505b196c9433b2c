package thread

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/repo"
)

// ThreadBlob reads an object of at most limit bytes by its name. The error wraps
// ErrNotFound or ErrTooLarge.
func (k *Keeper) ThreadBlob(ctx context.Context, name string, limit int64) ([]byte, error) {
	obj, err := k.repo.Cat.Get(ctx, name, limit)
	if err != nil {
		return nil, fmt.Errorf("read object %s: %w", name, err)
	}
	return obj.Data, nil
}

// ThreadBlobs yields objects by name, in the order given, from a git of its own, so that
// no reader of facts waits for them. One that is missing, or has more than limit bytes,
// has an Err.
func (k *Keeper) ThreadBlobs(ctx context.Context, names []string, limit int64) iter.Seq2[repo.File, error] {
	files := make([]repo.File, len(names))
	for i, name := range names {
		files[i] = repo.File{Path: name, Blob: name}
	}
	return k.repo.ReadUpTo(ctx, files, limit)
}

// logged reports whether git keeps a log of a reference.
func (k *Keeper) logged(ref string) bool {
	_, err := os.Lstat(filepath.Join(k.repo.CommonDir, "logs", filepath.FromSlash(ref)))
	return err == nil
}

// ThreadObjects lists the objects of all that a session was at a commit and before: commits,
// trees and blobs.
func (k *Keeper) ThreadObjects(ctx context.Context, commit string) ([]string, error) {
	if err := gitcmd.CheckRevision(commit); err != nil {
		return nil, err
	}
	out, err := gitcmd.Run(ctx, k.repo.CommonDir, "rev-list", "--objects", "--no-object-names", commit)
	if err != nil {
		return nil, fmt.Errorf("list the objects of %s: %w", commit, err)
	}
	return strings.Fields(out), nil
}

// ThreadCommits lists a commit of a session and all before it.
func (k *Keeper) ThreadCommits(ctx context.Context, commit string) ([]string, error) {
	if err := gitcmd.CheckRevision(commit); err != nil {
		return nil, err
	}
	out, err := gitcmd.Run(ctx, k.repo.CommonDir, "rev-list", commit)
	if err != nil {
		return nil, fmt.Errorf("list the commits before %s: %w", commit, err)
	}
	return strings.Fields(out), nil
}

// RemoteHas reports whether a branch of a remote, as it was fetched last, contains a commit,
// which may be abbreviated.
func (k *Keeper) RemoteHas(ctx context.Context, name, commit string) (bool, error) {
	if err := gitcmd.CheckRevision(commit); err != nil {
		return false, err
	}
	out, err := gitcmd.Run(ctx, k.repo.CommonDir, "for-each-ref", "--count=1", "--contains", commit, "refs/remotes/"+name)
	if err != nil {
		return false, nil // the commit is not here
	}
	return out != "", nil
}
