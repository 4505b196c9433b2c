package history

import (
	"context"
	"errors"

	"engram/gitstore/internal/object"
)

// treeDiff compares trees without a git of its own, most of them in the cache
// already.
type treeDiff struct {
	store *Reader
	note  func(Change) // told of every file in which they differ, in git's order
	left  int          // folders that may still be read; below 0 there are no bounds
}

// errFar: the trees differ in more folders than were to be read.
var errFar = errors.New("the trees differ in too many folders")

// compare notes what differs between two trees. "" is no tree.
func (d *treeDiff) compare(ctx context.Context, old, new, prefix string) error {
	if d.left == 0 {
		return errFar
	}
	d.left--
	before, err := d.store.repo.Tree(ctx, old)
	if err != nil {
		return err
	}
	after, err := d.store.repo.Tree(ctx, new)
	if err != nil {
		return err
	}
	// Both are in git's order, so equal entries meet.
	for len(before) > 0 || len(after) > 0 {
		var a, b object.Entry
		switch {
		case len(before) == 0:
			b, after = after[0], after[1:]
		case len(after) == 0:
			a, before = before[0], before[1:]
		default:
			order := object.CompareEntries(before[0], after[0])
			if order <= 0 {
				a, before = before[0], before[1:]
			}
			if order >= 0 {
				b, after = after[0], after[1:]
			}
		}
		if a == b {
			continue
		}
		if err := d.entry(ctx, a, b, prefix); err != nil {
			return err
		}
	}
	return nil
}

// entry notes what became of one name. A zero entry is absent.
func (d *treeDiff) entry(ctx context.Context, a, b object.Entry, prefix string) error {
	path := prefix + a.Name
	if a.Name == "" {
		path = prefix + b.Name
	}
	var oldTree, newTree, oldBlob, newBlob string
	if a.Folder() {
		oldTree = a.Hash.String()
	} else if a.Name != "" {
		oldBlob = a.Hash.String()
	}
	if b.Folder() {
		newTree = b.Hash.String()
	} else if b.Name != "" {
		newBlob = b.Hash.String()
	}
	if oldBlob != "" || newBlob != "" {
		d.note(Change{Path: path, Old: oldBlob, New: newBlob})
	}
	if oldTree == newTree {
		return nil
	}
	return d.compare(ctx, oldTree, newTree, path+"/")
}
