package gitstore

import (
	"context"
	"slices"
	"strings"
)

// dropped are the files of one folder that are to go, and the folders in it
// that have some.
type dropped struct {
	files   []string
	folders map[string]*dropped
}

func newDropped(paths []string) *dropped {
	root := &dropped{}
	for _, path := range paths {
		at := root
		for {
			folder, rest, nested := strings.Cut(path, "/")
			if !nested {
				at.files = append(at.files, path)
				break
			}
			if at.folders == nil {
				at.folders = make(map[string]*dropped)
			}
			if at.folders[folder] == nil {
				at.folders[folder] = &dropped{}
			}
			at, path = at.folders[folder], rest
		}
	}
	return root
}

// treeFilter makes trees without the dropped files. treeEditor would do, but
// reads and makes each tree of each commit again; most folders stay as they are
// from commit to commit, and what became of one is remembered here.
type treeFilter struct {
	read  func(context.Context, hash) ([]treeEntry, error)
	put   func(kind string, data []byte) hash
	drop  *dropped
	known map[treeAt]filtered
}

// treeAt is a tree at one place: elsewhere other files of it would go.
type treeAt struct {
	tree hash
	drop *dropped
}

type filtered struct {
	tree    hash
	emptied bool // nothing is left in it
}

// root is what the tree of a commit becomes.
func (f *treeFilter) root(ctx context.Context, tree hash) (hash, error) {
	next, err := f.filter(ctx, tree, f.drop)
	if err == nil && next.emptied {
		next.tree = f.put("tree", nil)
	}
	return next.tree, err
}

func (f *treeFilter) filter(ctx context.Context, tree hash, d *dropped) (filtered, error) {
	at := treeAt{tree, d}
	if next, ok := f.known[at]; ok {
		return next, nil
	}
	entries, err := f.read(ctx, tree)
	if err != nil {
		return filtered{}, err
	}
	left, err := f.without(ctx, entries, d)
	if err != nil {
		return filtered{}, err
	}
	next := filtered{tree: tree}
	switch {
	case left == nil:
	case len(left) == 0:
		next.emptied = true
	default:
		next.tree = f.put("tree", encodeTree(left))
	}
	f.known[at] = next
	return next, nil
}

// without is what is left of the entries of a tree; nil means all of them.
func (f *treeFilter) without(ctx context.Context, entries []treeEntry, d *dropped) (left []treeEntry, err error) {
	edit := func(name, mode string, change func(at int)) {
		wanted := treeEntry{mode: mode, name: name}
		if left == nil {
			if _, found := slices.BinarySearchFunc(entries, wanted, compareEntries); !found {
				return
			}
			left = slices.Clone(entries)
		}
		if at, found := slices.BinarySearchFunc(left, wanted, compareEntries); found {
			change(at)
		}
	}
	for _, name := range d.files {
		edit(name, modeFile, func(at int) { left = slices.Delete(left, at, at+1) })
	}
	for name, below := range d.folders {
		at, found := slices.BinarySearchFunc(entries, treeEntry{mode: modeFolder, name: name}, compareEntries)
		if !found {
			continue
		}
		next, err := f.filter(ctx, entries[at].hash, below)
		if err != nil {
			return nil, err
		}
		if next.emptied {
			edit(name, modeFolder, func(at int) { left = slices.Delete(left, at, at+1) })
		} else if next.tree != entries[at].hash {
			edit(name, modeFolder, func(at int) { left[at].hash = next.tree })
		}
	}
	return left, nil
}
