package gitstore

import (
	"context"
	"errors"
)

// treeDiff compares trees without a git of its own, most of them in the cache
// already.
type treeDiff struct {
	store *Store
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
	before, err := d.store.tree(ctx, old)
	if err != nil {
		return err
	}
	after, err := d.store.tree(ctx, new)
	if err != nil {
		return err
	}
	// Both are in git's order, so equal entries meet.
	for len(before) > 0 || len(after) > 0 {
		var a, b treeEntry
		switch {
		case len(before) == 0:
			b, after = after[0], after[1:]
		case len(after) == 0:
			a, before = before[0], before[1:]
		default:
			order := compareEntries(before[0], after[0])
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
func (d *treeDiff) entry(ctx context.Context, a, b treeEntry, prefix string) error {
	path := prefix + a.name
	if a.name == "" {
		path = prefix + b.name
	}
	var oldTree, newTree, oldBlob, newBlob string
	if a.folder() {
		oldTree = a.hash.String()
	} else if a.name != "" {
		oldBlob = a.hash.String()
	}
	if b.folder() {
		newTree = b.hash.String()
	} else if b.name != "" {
		newBlob = b.hash.String()
	}
	if oldBlob != "" || newBlob != "" {
		d.note(Change{Path: path, Old: oldBlob, New: newBlob})
	}
	if oldTree == newTree {
		return nil
	}
	return d.compare(ctx, oldTree, newTree, path+"/")
}
