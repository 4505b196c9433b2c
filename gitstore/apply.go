package gitstore

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"
)

// Write is a wanted state of one file: Data, or its absence where Data is nil.
// Of several for one path the last counts.
type Write struct {
	Path string
	Data []byte
}

// Meta is what a commit says of itself.
type Meta struct {
	Message string // the first line is the subject
}

// Apply makes one commit of all the writes on top of parent ("" begins the
// branch), and moves the branch to it if it still stands at parent. When it
// returns, the commit survives a power cut. It returns parent where the writes
// change nothing.
//
//  1. The trees on the way to each file are rewritten, each once.
//  2. Blobs, trees and the commit are written and synced.
//  3. git moves the reference, from parent and from nothing else.
//
// The error wraps ErrMoved, ErrLocked, ErrClash, ErrCheckedOut or
// ErrNoIdentity; nothing has changed then.
func (s *Store) Apply(ctx context.Context, parent string, writes []Write, meta Meta) (string, error) {
	if s.view {
		return "", fmt.Errorf("%w: %s", ErrReadOnly, s.branch)
	}
	if tree := s.CheckedOutAt(); tree != "" {
		return "", fmt.Errorf("%w in %s", ErrCheckedOut, tree)
	}
	commit, parent, err := s.commitOn(ctx, parent, writes, meta)
	if err != nil || commit == (hash{}) {
		return parent, err
	}
	if err := s.refs.update(ctx, s.ref, commit.String(), cmp.Or(parent, zeroName)); err != nil {
		return "", err
	}
	s.maintain(ctx, commit)
	return commit.String(), nil
}

// commitOn makes a durable commit that no reference names yet. It is zero where
// the writes change nothing. base is the full name of parent.
func (s *Store) commitOn(ctx context.Context, parent string, writes []Write, meta Meta) (commit hash, base string, err error) {
	for _, w := range writes {
		if err := checkPath(w.Path); err != nil {
			return hash{}, "", err
		}
	}
	who, err := s.who.get(ctx, s.gitDir)
	if err != nil {
		return hash{}, "", err
	}
	before := ""
	if parent != "" {
		if base, before, err = s.commitOf(ctx, parent); err != nil {
			return hash{}, "", err
		}
	}
	var objects newObjects
	tree, err := s.writeTree(ctx, &objects, before, writes)
	if err != nil || tree == before {
		return hash{}, base, err
	}
	if commit, err = s.encodeCommit(&objects, who, tree, base, meta); err != nil {
		return hash{}, "", err
	}
	return commit, base, s.write(ctx, objects.list)
}

// commitOf is the full name of a revision and the name of its tree.
func (s *Store) commitOf(ctx context.Context, revision string) (name, tree string, err error) {
	if err := checkRevision(revision); err != nil {
		return "", "", err
	}
	obj, err := s.cat.get(ctx, revision, maxCommit)
	if err != nil {
		return "", "", fmt.Errorf("read revision %s: %w", revision, err)
	}
	tree, err = treeOf(obj)
	return obj.name, tree, err
}

// writeTree returns the name of the tree that base becomes. The empty tree is
// "" as long as the branch has none.
func (s *Store) writeTree(ctx context.Context, objects *newObjects, base string, writes []Write) (string, error) {
	edits := make([]edit, len(writes))
	for i, w := range writes {
		edits[i] = edit{path: w.Path, remove: w.Data == nil}
		if w.Data != nil {
			edits[i].blob = objects.put("blob", w.Data)
		}
	}
	editor := treeEditor{store: s, put: objects.put}
	tree, err := editor.apply(ctx, base, edits)
	if err == nil && tree == "" && base != "" {
		tree = objects.put("tree", nil).String()
	}
	return tree, err
}

// checkPath refuses a path that git could store but not check out, or that a
// checkout could be attacked with.
func checkPath(path string) error {
	for segment := range strings.SplitSeq(path, "/") {
		plain := strings.ToLower(strings.TrimRight(segment, " ."))
		plain, _, _ = strings.Cut(plain, ":")
		control := strings.ContainsFunc(segment, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' })
		if plain == "" || plain == ".git" || plain == "git~1" || control || !utf8.ValidString(segment) {
			return fmt.Errorf("%q is no path for a file of the memory", path)
		}
	}
	return nil
}

func (s *Store) encodeCommit(objects *newObjects, who identity, tree, parent string, meta Meta) (hash, error) {
	now := s.now()
	c := gitobject.Commit{
		Author:    gitobject.Signature{Name: who.author.name, Email: who.author.email, When: now},
		Committer: gitobject.Signature{Name: who.committer.name, Email: who.committer.email, When: now},
		Message:   strings.ReplaceAll(meta.Message, "\x00", ""), // git cuts a message off there
		TreeHash:  plumbing.NewHash(tree),
	}
	if parent != "" {
		c.ParentHashes = []plumbing.Hash{plumbing.NewHash(parent)}
	}
	encoded := &plumbing.MemoryObject{}
	if err := c.Encode(encoded); err != nil {
		return hash{}, fmt.Errorf("encode commit: %w", err)
	}
	r, err := encoded.Reader()
	if err != nil {
		return hash{}, fmt.Errorf("encode commit: %w", err)
	}
	data, err := io.ReadAll(r)
	return objects.put("commit", data), err
}
