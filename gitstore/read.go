package gitstore

import (
	"context"
	"iter"
)

// Tip is the newest revision of the memory branch. The error wraps ErrNoBranch
// if the branch does not exist, ErrDamaged if it points to nothing.
func (s *Store) Tip(ctx context.Context) (string, error) { return s.repo.Tip(ctx) }

// BlobName is the object name that git gives to the content of a file in this repository.
func (s *Store) BlobName(data []byte) string { return s.repo.Objects.Format.BlobName(data) }

// CheckedOutAt is the work tree that has the memory branch checked out, or is in
// the middle of rebasing it, or "".
func (s *Store) CheckedOutAt() string { return s.repo.CheckedOutAt() }

// RefPaths are the files in which git may move the branch.
func (s *Store) RefPaths() []string { return s.repo.RefPaths() }

// Get reads the file at path in a revision. The error wraps ErrNotFound or
// ErrTooLarge.
func (s *Store) Get(ctx context.Context, revision, path string) (File, error) {
	return s.repo.Get(ctx, revision, path)
}

// Blob reads an object by name. The error wraps ErrNotFound or ErrTooLarge.
func (s *Store) Blob(ctx context.Context, name string) ([]byte, error) { return s.repo.Blob(ctx, name) }

// Blobs reads objects by name, many in one round trip to git. One that is gone, or
// larger than any fact, is nil.
func (s *Store) Blobs(ctx context.Context, names []string) ([][]byte, error) {
	return s.repo.Blobs(ctx, names)
}

// All yields every file of a revision whose path begins with prefix, in git's
// order of paths. A file that cannot be read comes with its own Err.
func (s *Store) All(ctx context.Context, revision, prefix string) iter.Seq2[File, error] {
	return s.repo.All(ctx, revision, prefix)
}

// Files is All without the files' content.
func (s *Store) Files(ctx context.Context, revision, prefix string) ([]File, error) {
	return s.repo.Files(ctx, revision, prefix)
}

// Names is Files while git lists them: to stop early, or to count.
func (s *Store) Names(ctx context.Context, revision, prefix string) iter.Seq2[File, error] {
	return s.repo.Names(ctx, revision, prefix)
}

// ReadAll yields the files with their content, in the order given.
func (s *Store) ReadAll(ctx context.Context, files []File) iter.Seq2[File, error] {
	return s.repo.ReadAll(ctx, files)
}

// BlobAt is the name of the blob at path in a revision, or "" if there is no
// regular file.
func (s *Store) BlobAt(ctx context.Context, revision, path string) (string, error) {
	return s.repo.BlobAt(ctx, revision, path)
}

// FolderAt is the name of the tree at path in a revision, or "" if there is no
// folder.
func (s *Store) FolderAt(ctx context.Context, revision, path string) (string, error) {
	return s.repo.FolderAt(ctx, revision, path)
}

// Identity is who git's configuration says the user is: "name <email>". The
// error wraps ErrNoIdentity.
func (s *Store) Identity(ctx context.Context) (string, error) { return s.commits.Identity(ctx) }

// CheckGit reports whether the git on PATH is new enough. The error wraps
// ErrUnsupported.
func (s *Store) CheckGit(ctx context.Context) error { return s.repo.CheckGit(ctx) }

// CheckWritable reports whether objects can be written.
func (s *Store) CheckWritable() error { return s.repo.CheckWritable() }
