package rewrite

import (
	"context"
	"slices"
	"strings"

	"engram/gitstore/internal/object"
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
	read  func(context.Context, object.Hash) ([]object.Entry, error)
	put   func(kind string, data []byte) object.Hash
	drop  *dropped
	known map[treeAt]filtered
}

// treeAt is a tree at one place: elsewhere other files of it would go.
type treeAt struct {
	tree object.Hash
	drop *dropped
}

type filtered struct {
	tree    object.Hash
	emptied bool // nothing is left in it
}

// root is what the tree of a commit becomes.
func (f *treeFilter) root(ctx context.Context, tree object.Hash) (object.Hash, error) {
	next, err := f.filter(ctx, tree, f.drop)
	if err == nil && next.emptied {
		next.tree = f.put("tree", nil)
	}
	return next.tree, err
}

func (f *treeFilter) filter(ctx context.Context, tree object.Hash, d *dropped) (filtered, error) {
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
		next.tree = f.put("tree", object.EncodeTree(left))
	}
	f.known[at] = next
	return next, nil
}

// without is what is left of the entries of a tree; nil means all of them.
func (f *treeFilter) without(ctx context.Context, entries []object.Entry, d *dropped) (left []object.Entry, err error) {
	edit := func(name, mode string, change func(at int)) {
		wanted := object.Entry{Mode: mode, Name: name}
		if left == nil {
			if _, found := slices.BinarySearchFunc(entries, wanted, object.CompareEntries); !found {
				return
			}
			left = slices.Clone(entries)
		}
		if at, found := slices.BinarySearchFunc(left, wanted, object.CompareEntries); found {
			change(at)
		}
	}
	for _, name := range d.files {
		edit(name, object.ModeFile, func(at int) { left = slices.Delete(left, at, at+1) })
	}
	for name, below := range d.folders {
		at, found := slices.BinarySearchFunc(entries, object.Entry{Mode: object.ModeFolder, Name: name}, object.CompareEntries)
		if !found {
			continue
		}
		next, err := f.filter(ctx, entries[at].Hash, below)
		if err != nil {
			return nil, err
		}
		if next.emptied {
			edit(name, object.ModeFolder, func(at int) { left = slices.Delete(left, at, at+1) })
		} else if next.tree != entries[at].Hash {
			edit(name, object.ModeFolder, func(at int) { left[at].Hash = next.tree })
		}
	}
	return left, nil
}
