package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// BlobAt is the name of the blob at path in a revision, or "" where no plain
// file stands there. The content is not read. It goes through the cache of
// trees: git would read every tree on the way again for each path, which takes
// half a millisecond where this takes microseconds.
func (s *Store) BlobAt(ctx context.Context, revision, path string) (string, error) {
	return s.entryAt(ctx, revision, path, false)
}

// FolderAt is the name of the tree at path in a revision, or "" where no folder
// stands there: the same name is the same content.
func (s *Store) FolderAt(ctx context.Context, revision, path string) (string, error) {
	return s.entryAt(ctx, revision, path, true)
}

func (s *Store) entryAt(ctx context.Context, revision, path string, folder bool) (string, error) {
	if err := checkRevision(revision); err != nil {
		return "", err
	}
	tree, err := s.rootTree(ctx, revision)
	if err != nil {
		return "", fmt.Errorf("look up %s: %w", path, err)
	}
	e, found, err := s.entryIn(ctx, tree, path, folder)
	if err != nil || !found || !folder && e.mode != modeFile && e.mode != modeExecutable {
		return "", err
	}
	return e.hash.String(), nil
}

// entryIn looks up the folder at a path below a tree, or what else stands there.
func (s *Store) entryIn(ctx context.Context, tree, path string, folder bool) (treeEntry, bool, error) {
	for rest := path; ; {
		entries, err := s.tree(ctx, tree)
		if errors.Is(err, ErrNotFound) {
			err = fmt.Errorf("%w: tree %s is missing", ErrDamaged, tree)
		}
		if err != nil {
			return treeEntry{}, false, fmt.Errorf("look up %s: %w", path, err)
		}
		name, below, nested := strings.Cut(rest, "/")
		e, found := findEntry(entries, name, nested || folder)
		if !found || !nested {
			return e, found, nil
		}
		tree, rest = e.hash.String(), below
	}
}

// itemAt is what stands at a path below a tree, folders apart.
func (s *Store) itemAt(ctx context.Context, tree, path string) (item, error) {
	e, found, err := s.entryIn(ctx, tree, path, false)
	if err != nil || !found {
		return item{}, err
	}
	if strings.HasPrefix(e.mode, "100") && e.mode != modeExecutable {
		e.mode = modeFile // as git reads the other modes that old tools wrote
	}
	return item{e.mode, e.hash}, nil
}

// rootTree is the tree of a revision. It is kept: the commit of an
// import has a long message to read past.
func (s *Store) rootTree(ctx context.Context, revision string) (string, error) {
	if tree, ok := s.trees.root(revision); ok {
		return tree, nil
	}
	obj, err := s.cat.get(ctx, revision+"^{commit}", maxCommit)
	if err != nil {
		return "", err
	}
	tree, err := treeOf(obj)
	if err == nil && obj.name == revision { // not a name that can come to mean another commit
		s.trees.setRoot(revision, tree)
	}
	return tree, err
}

// findEntry looks in a tree for a folder of that name, or for something else.
func findEntry(entries []treeEntry, name string, folder bool) (treeEntry, bool) {
	wanted := treeEntry{mode: modeFile, name: name}
	if folder {
		wanted.mode = modeFolder
	}
	at, found := slices.BinarySearchFunc(entries, wanted, compareEntries)
	if !found {
		return treeEntry{}, false
	}
	return entries[at], true
}

// Describe says who made a revision, when, and what its subject is.
func (s *Store) Describe(ctx context.Context, revision string) (Entry, error) {
	e := Entry{Revision: revision}
	err := s.describe(ctx, &e)
	return e, err
}
