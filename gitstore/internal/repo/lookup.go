package repo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// CommitOf is the full name of a revision and the name of its tree.
func (r *Repo) CommitOf(ctx context.Context, revision string) (name, tree string, err error) {
	if err := gitcmd.CheckRevision(revision); err != nil {
		return "", "", err
	}
	obj, err := r.Cat.Get(ctx, revision, object.MaxCommit)
	if err != nil {
		return "", "", fmt.Errorf("read revision %s: %w", revision, err)
	}
	tree, err = object.TreeOf(obj)
	return obj.Name, tree, err
}

// Knows reports whether this repository has a revision.
func (r *Repo) Knows(ctx context.Context, revision string) (bool, error) {
	if err := gitcmd.CheckRevision(revision); err != nil {
		return false, nil // not a revision, so not in this repository
	}
	_, err := r.Cat.Get(ctx, revision, object.MaxCommit)
	if errors.Is(err, gitcmd.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// BlobAt is the name of the blob at path in a revision, or "" if there is no
// regular file. The content is not read. BlobAt uses the cache of trees: git would read
// every tree on the way again for each path, which takes half a millisecond instead of
// microseconds.
func (r *Repo) BlobAt(ctx context.Context, revision, path string) (string, error) {
	return r.entryAt(ctx, revision, path, false)
}

// FolderAt is the name of the tree at path in a revision, or "" if there is no
// folder. The same name means the same content.
func (r *Repo) FolderAt(ctx context.Context, revision, path string) (string, error) {
	return r.entryAt(ctx, revision, path, true)
}

func (r *Repo) entryAt(ctx context.Context, revision, path string, folder bool) (string, error) {
	if err := gitcmd.CheckRevision(revision); err != nil {
		return "", err
	}
	tree, err := r.RootTree(ctx, revision)
	if err != nil {
		return "", fmt.Errorf("look up %s: %w", path, err)
	}
	e, found, err := r.EntryIn(ctx, tree, path, folder)
	if err != nil || !found || !folder && e.Mode != object.ModeFile && e.Mode != object.ModeExecutable {
		return "", err
	}
	return e.Hash.String(), nil
}

// EntryIn looks up the folder at a path below a tree, or else the file, link or
// submodule there.
func (r *Repo) EntryIn(ctx context.Context, tree, path string, folder bool) (object.Entry, bool, error) {
	for rest := path; ; {
		entries, err := r.Tree(ctx, tree)
		if errors.Is(err, gitcmd.ErrNotFound) {
			err = fmt.Errorf("%w: tree %s is missing", gitcmd.ErrDamaged, tree)
		}
		if err != nil {
			return object.Entry{}, false, fmt.Errorf("look up %s: %w", path, err)
		}
		name, below, nested := strings.Cut(rest, "/")
		e, found := object.FindEntry(entries, name, nested || folder)
		if !found || !nested {
			return e, found, nil
		}
		tree, rest = e.Hash.String(), below
	}
}

// RootTree is the tree of a revision. It is kept: the commit of an
// import has a long message to read past.
func (r *Repo) RootTree(ctx context.Context, revision string) (string, error) {
	if tree, ok := r.trees.root(revision); ok {
		return tree, nil
	}
	obj, err := r.Cat.Get(ctx, revision+"^{commit}", object.MaxCommit)
	if err != nil {
		return "", err
	}
	tree, err := object.TreeOf(obj)
	if err == nil && obj.Name == revision { // not a name that can come to mean another commit
		r.trees.setRoot(revision, tree)
	}
	return tree, err
}

// CommitNamed is the full name of the commit that revision means.
func (r *Repo) CommitNamed(ctx context.Context, revision string) (string, error) {
	if err := gitcmd.CheckRevision(revision); err != nil {
		return "", err
	}
	obj, err := r.Cat.Get(ctx, revision+"^{commit}", object.MaxCommit)
	if errors.Is(err, gitcmd.ErrNotFound) {
		return "", fmt.Errorf("%w: %q is not a commit of this repository", gitcmd.ErrNotFound, revision)
	}
	return obj.Name, err
}

// RevisionAtRef is the commit at a reference, or "" if there is none.
func (r *Repo) RevisionAtRef(ctx context.Context, ref string) (string, error) {
	obj, err := r.Cat.Get(ctx, ref+"^{commit}", object.MaxCommit)
	if errors.Is(err, gitcmd.ErrNotFound) {
		return "", nil
	}
	return obj.Name, err
}

// Tree reads the entries of the tree called name; "" is the empty one. The
// result is shared: it must not be changed.
func (r *Repo) Tree(ctx context.Context, name string) ([]object.Entry, error) {
	if name == "" {
		return nil, nil
	}
	if entries, ok := r.trees.get(name); ok {
		return entries, nil
	}
	entries, err := r.ReadTree(ctx, name)
	if err == nil {
		r.trees.add(name, entries)
	}
	return entries, err
}

// ReadTree is Tree for a tree that is wanted once: it uses no cache.
func (r *Repo) ReadTree(ctx context.Context, name string) ([]object.Entry, error) {
	obj, err := r.Cat.Get(ctx, name, object.MaxTree)
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", name, err)
	}
	if obj.Kind != "tree" {
		return nil, fmt.Errorf("read tree %s: it is a %s", name, obj.Kind)
	}
	entries, err := object.DecodeTree(r.Objects.Format, obj.Data)
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", name, err)
	}
	return entries, nil
}

// KeepTree caches the entries of a new tree in the place of the old one it was made
// from. The caller must not change them any more.
func (r *Repo) KeepTree(old, name string, entries []object.Entry) {
	r.trees.replace(old, name, entries)
}

// Settings is a part of the configuration: key → values, in order.
type Settings map[string][]string

// Settings reads the settings whose keys match a pattern.
func (r *Repo) Settings(ctx context.Context, pattern string) (Settings, error) {
	out, err := gitcmd.Run(ctx, r.CommonDir, "config", "-z", "--get-regexp", pattern)
	if err != nil && !gitcmd.SaidNo(err) {
		return nil, fmt.Errorf("read git's configuration: %w", err)
	}
	all := Settings{}
	for line := range strings.SplitSeq(out, "\x00") {
		if key, value, ok := strings.Cut(line, "\n"); ok {
			all[key] = append(all[key], value)
		}
	}
	return all, nil
}

// Last is the value of a key that counts; "" if there is none.
func (s Settings) Last(key string) string {
	if values := s[key]; len(values) > 0 {
		return values[len(values)-1]
	}
	return ""
}
