package gitstore

import (
	"context"
	"strings"
)

// recentCommits is how far back recent looks: what others usually commit
// between two questions of an agent.
const recentCommits = 16

// recent is Introduced for the everyday case, that to is a few commits without
// merges after from. It compares trees itself, most of them in the cache
// already, which spares starting two gits: 3 ms of every first question after
// a commit. ok is false where it is not that case.
func (s *Store) recent(ctx context.Context, from, to string, note func(Change)) (ok bool, err error) {
	var trees []string // of to and its ancestors, newest first, down to from
	for name := to; ; {
		obj, err := s.cat.get(ctx, name, maxCommit)
		if err != nil {
			return false, nil // the slow way finds the words for it
		}
		tree, err := treeOf(obj)
		if err != nil {
			return false, nil
		}
		if trees = append(trees, tree); name == from {
			break
		}
		header, _, _ := strings.Cut(string(obj.data), "\n\n")
		parents := strings.Split(header, "\nparent ")[1:]
		if len(parents) != 1 || len(parents[0]) < len(zeroName) || len(trees) > recentCommits {
			return false, nil
		}
		name = parents[0][:len(zeroName)]
	}
	for i := range len(trees) - 1 {
		if err := s.compareTrees(ctx, trees[i+1], trees[i], "", note); err != nil {
			return false, err
		}
	}
	return true, nil
}

// compareTrees notes every file in which two trees differ. "" is no tree.
func (s *Store) compareTrees(ctx context.Context, old, new, prefix string, note func(Change)) error {
	before, err := s.tree(ctx, old)
	if err != nil {
		return err
	}
	after, err := s.tree(ctx, new)
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
		if err := s.noteEntry(ctx, a, b, prefix, note); err != nil {
			return err
		}
	}
	return nil
}

// noteEntry notes what became of one name. A zero entry is absent.
func (s *Store) noteEntry(ctx context.Context, a, b treeEntry, prefix string, note func(Change)) error {
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
		note(Change{Path: path, Old: oldBlob, New: newBlob})
	}
	if oldTree == newTree {
		return nil
	}
	return s.compareTrees(ctx, oldTree, newTree, path+"/", note)
}
