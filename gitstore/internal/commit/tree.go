package commit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"engram/gitstore/internal/object"
	"engram/gitstore/internal/repo"
)

// Edit is a wanted state of one path below a tree: an object that exists or is
// about to be written, or nothing.
type Edit struct {
	Path   string // relative to the tree
	Mode   string // "" is a plain file that stays executable if it was
	Blob   object.Hash
	Remove bool
}

// entryEdit is a wanted state of one entry of a tree.
type entryEdit struct {
	object.Entry
	keepBit bool // stay executable if it was
	remove  bool
}

// TreeEditor makes new trees out of old ones and hands over what has to be written.
type TreeEditor struct {
	Repo  *repo.Repo
	Put   func(kind string, data []byte) object.Hash
	Twins bool // permits names that differ only in case: a merge has examined them
}

// apply returns the tree that the one called base ("" is the empty one)
// becomes, or "" if nothing is left in it. Edits are grouped by folder, so
// each tree on the way is read and written once however many facts change.
func (t TreeEditor) apply(ctx context.Context, base string, edits []Edit) (string, error) {
	entries, err := t.Repo.Tree(ctx, base)
	if err != nil {
		return "", err
	}
	wanted, below := groupEdits(edits)
	for folder, nested := range below {
		e := entryEdit{Entry: object.Entry{Mode: object.ModeFolder, Name: folder}}
		old := ""
		if at, found := slices.BinarySearchFunc(entries, e.Entry, object.CompareEntries); found {
			old = entries[at].Hash.String()
		}
		tree, err := t.apply(ctx, old, nested)
		if e.remove = tree == ""; err == nil && tree != "" {
			e.Hash, err = object.ParseHash(tree)
		}
		if err != nil {
			return "", err
		}
		wanted = append(wanted, e)
	}
	merged, fresh, changed := mergeEntries(entries, wanted)
	if err := t.checkNames(merged, fresh); err != nil {
		return "", err
	}
	switch {
	case len(merged) == 0:
		return "", nil
	case !changed:
		return base, nil
	}
	name := t.Put("tree", object.EncodeTree(merged)).String()
	t.Repo.KeepTree(base, name, merged)
	return name, nil
}

// ApplyTop is apply for the tree of a commit, which exists even if it is empty. "" is still what "" becomes if there is nothing to add.
func (t TreeEditor) ApplyTop(ctx context.Context, base string, edits []Edit) (string, error) {
	tree, err := t.apply(ctx, base, edits)
	if err == nil && tree == "" && base != "" {
		tree = t.Put("tree", nil).String()
	}
	return tree, err
}

// groupEdits divides edits into those of this tree and those of the trees below.
// The last of several edits of one path counts.
func groupEdits(edits []Edit) (here []entryEdit, below map[string][]Edit) {
	files := make(map[string]entryEdit)
	below = make(map[string][]Edit)
	for _, e := range edits {
		if folder, rest, nested := strings.Cut(e.Path, "/"); nested {
			below[folder] = append(below[folder], Edit{rest, e.Mode, e.Blob, e.Remove})
		} else {
			files[e.Path] = entryEdit{object.Entry{Mode: cmp.Or(e.Mode, object.ModeFile), Name: e.Path, Hash: e.Blob}, e.Mode == "", e.Remove}
		}
	}
	return slices.Collect(maps.Values(files)), below
}

// mergeEntries replaces, removes and inserts, and tells which names are new and
// whether anything made a difference. Removing a file where there is a folder, or the reverse, changes
// nothing.
func mergeEntries(entries []object.Entry, edits []entryEdit) (merged, fresh []object.Entry, changed bool) {
	slices.SortFunc(edits, func(a, b entryEdit) int { return object.CompareEntries(a.Entry, b.Entry) })
	merged = make([]object.Entry, 0, len(entries)+len(edits))
	for _, e := range edits {
		at, found := slices.BinarySearchFunc(entries, e.Entry, object.CompareEntries)
		merged = append(merged, entries[:at]...)
		entries = entries[at:]
		if found {
			if entries[0].Mode == object.ModeExecutable && e.keepBit {
				e.Mode = object.ModeExecutable // set by hand; not ours to take away
			}
			changed = changed || e.remove || entries[0].Hash != e.Hash || entries[0].Mode != e.Mode
			entries = entries[1:]
		}
		if e.remove {
			continue
		}
		merged = append(merged, e.Entry)
		if !found {
			fresh = append(fresh, e.Entry)
		}
	}
	merged = append(merged, entries...)
	return merged, fresh, changed || len(fresh) > 0
}

// fewNames is the largest number of new names that are compared with each old one;
// for more a map costs less.
const fewNames = 8

// checkNames rejects a file and a folder of one name, which no tree can hold. Unless
// Twins permits them, it also rejects a new name that differs from another only in
// case, because a checkout on Windows or macOS could hold only one of them.
func (t TreeEditor) checkNames(entries, fresh []object.Entry) error {
	if t.Twins {
		return checkByKey(entries, fresh, func(name string) string { return name })
	}
	if len(fresh) > fewNames {
		return checkByKey(entries, fresh, object.Fold)
	}
	for _, e := range fresh {
		for _, other := range entries {
			if strings.EqualFold(e.Name, other.Name) && !sameEntry(e, other) {
				return clash(e, other)
			}
		}
	}
	return nil
}

// checkByKey rejects a new entry whose name has the same key as that of another.
func checkByKey(entries, fresh []object.Entry, key func(name string) string) error {
	byKey := make(map[string]object.Entry, len(fresh))
	for _, e := range fresh {
		if other, found := byKey[key(e.Name)]; found {
			return clash(e, other)
		}
		byKey[key(e.Name)] = e
	}
	for _, other := range entries {
		if e, found := byKey[key(other.Name)]; found && !sameEntry(e, other) {
			return clash(e, other)
		}
	}
	return nil
}

func sameEntry(a, b object.Entry) bool { return a.Name == b.Name && a.Folder() == b.Folder() }

func clash(e, other object.Entry) error {
	if e.Name == other.Name {
		return fmt.Errorf("%w: %q is both a file and a folder", ErrClash, e.Name)
	}
	return fmt.Errorf("%w: %q differs from %q only in case", ErrClash, e.Name, other.Name)
}
