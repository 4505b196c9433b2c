package gitstore

import (
	"context"
	"errors"
	"fmt"
)

// BlobAt is the name of the blob at path in a revision, or "" where no plain
// content stands there. The content is not read.
func (s *Store) BlobAt(ctx context.Context, revision, path string) (string, error) {
	obj, err := s.at(ctx, revision, path, 0)
	switch {
	case errors.Is(err, ErrNotFound):
		return "", nil
	case err != nil && !errors.Is(err, ErrTooLarge):
		return "", fmt.Errorf("look up %s: %w", path, err)
	case obj.kind != "blob":
		return "", nil
	}
	return obj.name, nil
}

// Describe says who made a revision, when, and what its subject is.
func (s *Store) Describe(ctx context.Context, revision string) (Entry, error) {
	e := Entry{Revision: revision}
	err := s.describe(ctx, &e)
	return e, err
}
