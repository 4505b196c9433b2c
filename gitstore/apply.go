package gitstore

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"
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
	// Sign signs the commit as git is configured to; ErrSigning where it cannot.
	Sign bool
	// Anonymous keeps the user's name, email and time zone out of it.
	Anonymous bool
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
// The error wraps ErrMoved, ErrLocked, ErrClash, ErrCheckedOut, ErrSigning or
// ErrNoIdentity; nothing has changed then.
func (s *Store) Apply(ctx context.Context, parent string, writes []Write, meta Meta) (string, error) {
	if err := s.mayMove(); err != nil {
		return "", err
	}
	commit, parent, err := s.commit(ctx, parent, writes, meta)
	if err != nil || commit == parent {
		return parent, err
	}
	if err := s.move(ctx, parent, commit); err != nil {
		return "", err
	}
	return commit, nil
}

// commit is Apply up to the point where the branch moves: the commit is there
// and durable, and nothing refers to it. onto is the full name of parent, and
// the commit's too where nothing changes.
func (s *Store) commit(ctx context.Context, parent string, writes []Write, meta Meta) (name, onto string, err error) {
	for _, w := range writes {
		if err := checkPath(w.Path); err != nil {
			return "", "", err
		}
	}
	who, err := s.authors(ctx, meta)
	if err != nil {
		return "", "", err
	}
	base := ""
	var parents []string
	if parent != "" {
		if parent, base, err = s.commitOf(ctx, parent); err != nil {
			return "", "", err
		}
		parents = []string{parent}
	}
	var objects newObjects
	tree, err := s.writeTree(ctx, &objects, base, writes)
	if err != nil || tree == base {
		return parent, parent, err
	}
	written, err := s.writeCommit(ctx, &objects, who, tree, parents, meta)
	return written, parent, err
}

// mayMove refuses to move the branch under a work tree, and another repository's.
func (s *Store) mayMove() error {
	if s.view {
		return fmt.Errorf("%w: %s", ErrReadOnly, s.branch)
	}
	if tree := s.CheckedOutAt(); tree != "" {
		return fmt.Errorf("%w in %s", ErrCheckedOut, tree)
	}
	return nil
}

// move has git move the branch from old ("" where there is none) to a commit
// that is durable, if it still stands at old. The error wraps ErrMoved or
// ErrLocked.
func (s *Store) move(ctx context.Context, old, commit string) error {
	if err := s.refs.update(ctx, s.ref, commit, cmp.Or(old, zeroName)); err != nil {
		return err
	}
	s.maintain(ctx, commit)
	return nil
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
	return treeEditor{store: s, put: objects.put}.applyTop(ctx, base, edits)
}

// checkPath refuses a path that git could store but not check out, or that a
// checkout could be attacked with.
func checkPath(path string) error {
	control := strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' })
	if control || hostile(path) || !utf8.ValidString(path) {
		return fmt.Errorf("%q is no path for a file of the memory", path)
	}
	return nil
}

// hostile reports whether a checkout could be attacked with path: a segment of
// it is nothing, the folder itself or the one above, or git's own folder under
// any of the names that some file system knows it by.
func hostile(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		plain := strings.ToLower(strings.TrimRight(segment, " ."))
		plain, _, _ = strings.Cut(plain, ":")
		if plain == "" || plain == ".git" || plain == "git~1" {
			return true
		}
	}
	return false
}

func (s *Store) encodeCommit(objects *newObjects, who identity, tree string, parents []string, meta Meta) hash {
	now := s.dated(meta)
	date := fmt.Sprintf("%d %s", max(now.Unix(), 0), now.Format("-0700"))
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, parent := range parents {
		fmt.Fprintf(&b, "parent %s\n", parent)
	}
	fmt.Fprintf(&b, "author %s <%s> %s\n", who.author.name, who.author.email, date)
	fmt.Fprintf(&b, "committer %s <%s> %s\n", who.committer.name, who.committer.email, date)
	b.WriteString("\n" + strings.ReplaceAll(meta.Message, "\x00", "")) // git cuts a message off there
	return objects.put("commit", b.Bytes())
}
