package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"

	"engram/internal/filelock"
)

// Write is a wanted state of one file: Data, or its absence where Data is nil.
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
	if tree := s.CheckedOutAt(); tree != "" {
		return "", fmt.Errorf("%w in %s", ErrCheckedOut, tree)
	}
	who, err := s.who(ctx)
	if err != nil {
		return "", err
	}
	base, old := "", zeroName
	if parent != "" {
		obj, err := s.cat.get(ctx, parent, maxCommit)
		if err != nil {
			return "", fmt.Errorf("read revision %s: %w", parent, err)
		}
		if base, err = treeOf(obj); err != nil {
			return "", err
		}
		old = obj.name
	}
	var objects newObjects
	tree, err := s.writeTree(ctx, &objects, base, writes)
	if err != nil {
		return "", err
	}
	if tree.String() == base {
		return parent, nil
	}
	data, err := s.encodeCommit(who, tree, parent, meta)
	if err != nil {
		return "", err
	}
	commit := objects.put("commit", data)
	if err := s.write(ctx, objects.list); err != nil {
		return "", err
	}
	if err := s.refs.update(ctx, s.ref, commit.String(), old); err != nil {
		return "", err
	}
	s.maintain(commit)
	return commit.String(), nil
}

func (s *Store) writeTree(ctx context.Context, objects *newObjects, base string, writes []Write) (hash, error) {
	edits := make([]edit, len(writes))
	for i, w := range writes {
		edits[i] = edit{path: w.Path, remove: w.Data == nil}
		if w.Data != nil {
			edits[i].blob = objects.put("blob", w.Data)
		}
	}
	editor := treeEditor{store: s, put: objects.put}
	tree, some, err := editor.apply(ctx, base, edits)
	if err == nil && !some {
		tree = objects.put("tree", nil) // the empty tree
	}
	return tree, err
}

func (s *Store) encodeCommit(who identity, tree hash, parent string, meta Meta) ([]byte, error) {
	now := s.now()
	c := gitobject.Commit{
		Author:    gitobject.Signature{Name: who.author.name, Email: who.author.email, When: now},
		Committer: gitobject.Signature{Name: who.committer.name, Email: who.committer.email, When: now},
		Message:   meta.Message,
		TreeHash:  plumbing.Hash(tree),
	}
	if parent != "" {
		c.ParentHashes = []plumbing.Hash{plumbing.NewHash(parent)}
	}
	encoded := &plumbing.MemoryObject{}
	if err := c.Encode(encoded); err != nil {
		return nil, fmt.Errorf("encode commit: %w", err)
	}
	r, err := encoded.Reader()
	if err != nil {
		return nil, fmt.Errorf("encode commit: %w", err)
	}
	return io.ReadAll(r)
}

// Waiting for other writers.
const (
	writerWait = 30 * time.Second // for the lock that engram's writers share
	attempts   = 12               // after a race lost to a git that knows no such lock
)

// Update makes one commit of what plan wants, however many others write at
// the same time. plan is called with the tip ("" where there is no branch yet)
// and again with the new tip after a lost race, so it must read everything it
// decides by from the revision it is given. A plan that wants nothing returns
// no writes; the result is then the tip.
func (s *Store) Update(ctx context.Context, plan func(tip string) ([]Write, Meta, error)) (string, error) {
	release, err := s.lockWriters(ctx)
	if err != nil {
		return "", err
	}
	defer func() { _ = release() }()
	for attempt := 0; ; attempt++ {
		tip, err := s.Tip(ctx)
		if err != nil && !errors.Is(err, ErrNoBranch) {
			return "", err
		}
		writes, meta, err := plan(tip)
		if err != nil || len(writes) == 0 {
			return tip, err
		}
		revision, err := s.Apply(ctx, tip, writes, meta)
		if !errors.Is(err, ErrMoved) && !errors.Is(err, ErrLocked) || attempt == attempts-1 {
			return revision, err
		}
		s.log.Debug("lost a race for the branch", "attempt", attempt+1, "error", err)
		if err := backOff(ctx, attempt); err != nil {
			return "", err
		}
	}
}

func (s *Store) lockWriters(ctx context.Context) (release func() error, err error) {
	wait, cancel := context.WithTimeout(ctx, writerWait)
	defer cancel()
	release, err = filelock.Acquire(wait, filepath.Join(s.StateDir(), "write.lock"), filelock.Exclusive)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("%w: another engram has been writing for %s", ErrLocked, writerWait)
	}
	return release, err
}

// backOff sleeps 5 ms the first time, twice as long each further time up to a
// second, give or take half of it so that losers do not meet again.
func backOff(ctx context.Context, attempt int) error {
	d := min(5*time.Millisecond<<min(attempt, 10), time.Second)
	select {
	case <-time.After(d/2 + rand.N(d)):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
