// Package commit makes durable commits, signed if wanted, from files or from a tree.
// It moves no branch.
package commit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"engram/gitstore/internal/object"
	"engram/gitstore/internal/repo"
)

// Write is the wanted content of one file; nil Data deletes it. Of several writes
// to one path the last counts.
type Write struct {
	Path string
	Data []byte
}

// Meta is the metadata of a commit.
type Meta struct {
	Message string // the first line is the subject
	// Sign signs the commit as git is configured to; ErrSigning if it cannot. Without
	// Sign, commit.gpgSign decides.
	Sign bool
	// Unsigned overrules commit.gpgSign: the commit is made too often for it.
	Unsigned bool
	// Anonymous keeps the user's name, email and time zone out of it, and any
	// signature that Sign does not ask for.
	Anonymous bool
}

// Writer makes commits, and moves no branch.
type Writer struct {
	repo    *repo.Repo
	now     func() time.Time
	signing time.Duration
	who     *identityCache
	guard   Guard
}

// New returns a writer of commits that are dated by now. Signing one may take as
// long as signing, 0 means 30 seconds.
func New(r *repo.Repo, now func() time.Time, signing time.Duration) *Writer {
	return &Writer{repo: r, now: now, signing: cmp.Or(signing, signingTime), who: &identityCache{}}
}

// On is the same writer for another branch of the repository.
func (w *Writer) On(r *repo.Repo) *Writer {
	other := *w
	other.repo = r
	return &other
}

// Commit makes a durable commit of the writes on top of parent; nothing refers to it
// yet. onto is the full name of parent, and name is the same if nothing changes.
func (w *Writer) Commit(ctx context.Context, parent string, writes []Write, meta Meta) (name, onto string, err error) {
	for _, w := range writes {
		if err := object.CheckPath(w.Path); err != nil {
			return "", "", err
		}
	}
	who, err := w.authors(ctx, meta)
	if err != nil {
		return "", "", err
	}
	base := ""
	var parents []string
	if parent != "" {
		if parent, base, err = w.repo.CommitOf(ctx, parent); err != nil {
			return "", "", err
		}
		parents = []string{parent}
	}
	objects := w.repo.Objects.Batch()
	tree, err := w.writeTree(ctx, &objects, base, writes)
	if err != nil || tree == base {
		return parent, parent, err
	}
	written, err := w.guardedCommit(ctx, &objects, who, tree, parents, meta)
	return written, parent, err
}

// writeTree returns the name of the tree that base becomes. The empty tree is
// "" as long as the branch has none.
func (w *Writer) writeTree(ctx context.Context, objects *object.Batch, base string, writes []Write) (string, error) {
	edits := make([]Edit, len(writes))
	for i, w := range writes {
		edits[i] = Edit{Path: w.Path, Remove: w.Data == nil}
		if w.Data != nil {
			edits[i].Blob = objects.Put("blob", w.Data)
		}
	}
	return TreeEditor{Repo: w.repo, Put: objects.Put}.ApplyTop(ctx, base, edits)
}

func (w *Writer) encodeCommit(objects *object.Batch, who identity, tree string, parents []string, meta Meta) object.Hash {
	authored, committed := w.dates(who, meta)
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, parent := range parents {
		fmt.Fprintf(&b, "parent %s\n", parent)
	}
	fmt.Fprintf(&b, "author %s <%s> %s\n", who.author.Name, who.author.Email, authored)
	fmt.Fprintf(&b, "committer %s <%s> %s\n", who.committer.Name, who.committer.Email, committed)
	b.WriteString("\n" + strings.ReplaceAll(meta.Message, "\x00", "")) // git cuts a message off there
	return objects.Put("commit", b.Bytes())
}

var (
	// ErrNoIdentity: git knows no name and email to commit under.
	ErrNoIdentity = errors.New("git has no identity configured")
	// ErrDate: git cannot read GIT_AUTHOR_DATE or GIT_COMMITTER_DATE.
	ErrDate = errors.New("git cannot read a date of the environment")
	// ErrSigning: git could not sign the commit.
	ErrSigning = errors.New("the commit could not be signed")
	// ErrOwnSigning is an ErrSigning of a commit that only the user's configuration,
	// commit.gpgSign, wants signed.
	ErrOwnSigning = fmt.Errorf("%w, as commit.gpgSign asks", ErrSigning)
	// ErrClash: a path differs only by case from one that exists, or a folder
	// is in the place of a file.
	ErrClash = errors.New("path conflicts with another")
)
