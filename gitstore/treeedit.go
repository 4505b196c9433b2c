package gitstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// edit is a wanted state of one path below a tree: an object that exists or is
// about to be written, or nothing.
type edit struct {
	path   string // relative to the tree
	mode   string // "" is a plain file that stays executable where it was
	blob   hash
	remove bool
}

// entryEdit is a wanted state of one entry of a tree.
type entryEdit struct {
	treeEntry
	keepBit bool // stay executable where it was
	remove  bool
}

// treeEditor makes new trees out of old ones and hands over what has to be written.
type treeEditor struct {
	store *Store
	put   func(kind string, data []byte) hash
	twins bool // names that differ by case alone are let be: a merge has looked at them
}

// apply returns the tree that the one called base ("" is the empty one)
// becomes, or "" where nothing is left in it. Edits are grouped by folder, so
// each tree on the way is read and written once however many facts change.
func (t treeEditor) apply(ctx context.Context, base string, edits []edit) (string, error) {
	entries, err := t.store.tree(ctx, base)
	if err != nil {
		return "", err
	}
	wanted, below := groupEdits(edits)
	for folder, nested := range below {
		e := entryEdit{treeEntry: treeEntry{mode: modeFolder, name: folder}}
		old := ""
		if at, found := slices.BinarySearchFunc(entries, e.treeEntry, compareEntries); found {
			old = entries[at].hash.String()
		}
		sub, h, err := t.applyBelow(ctx, old, nested)
		if err != nil {
			return "", err
		}
		e.hash, e.remove = h, sub == ""
		wanted = append(wanted, e)
	}
	merged, fresh, changed := mergeEntries(entries, wanted)
	check := checkClashes
	if t.twins {
		check = checkDoubles
	}
	if err := check(merged, fresh); err != nil {
		return "", err
	}
	switch {
	case len(merged) == 0:
		return "", nil
	case !changed:
		return base, nil
	}
	name := t.put("tree", encodeTree(merged)).String()
	t.store.trees.replace(base, name, merged)
	return name, nil
}

// applyTop is apply for the tree of a commit, which is there even where it is
// empty. "" is still what "" becomes if there is nothing to add.
func (t treeEditor) applyTop(ctx context.Context, base string, edits []edit) (string, error) {
	tree, err := t.apply(ctx, base, edits)
	if err == nil && tree == "" && base != "" {
		tree = t.put("tree", nil).String()
	}
	return tree, err
}

// applyBelow is apply with the name in both forms.
func (t treeEditor) applyBelow(ctx context.Context, base string, edits []edit) (string, hash, error) {
	name, err := t.apply(ctx, base, edits)
	if err != nil || name == "" {
		return "", hash{}, err
	}
	h, err := parseHash(name)
	return name, h, err
}

// groupEdits divides edits into those of this tree and those of the trees below.
// The last of several edits of one path counts.
func groupEdits(edits []edit) (here []entryEdit, below map[string][]edit) {
	files := make(map[string]entryEdit)
	below = make(map[string][]edit)
	for _, e := range edits {
		if folder, rest, nested := strings.Cut(e.path, "/"); nested {
			below[folder] = append(below[folder], edit{rest, e.mode, e.blob, e.remove})
		} else {
			files[e.path] = entryEdit{treeEntry{cmp.Or(e.mode, modeFile), e.path, e.blob}, e.mode == "", e.remove}
		}
	}
	for _, e := range files {
		here = append(here, e)
	}
	return here, below
}

// mergeEntries replaces, removes and inserts, and tells which names are new and
// whether anything made a difference. To remove a file where a folder stands, or the reverse, changes
// nothing: what is to be gone is not there.
func mergeEntries(entries []treeEntry, edits []entryEdit) (merged, fresh []treeEntry, changed bool) {
	slices.SortFunc(edits, func(a, b entryEdit) int { return compareEntries(a.treeEntry, b.treeEntry) })
	merged = make([]treeEntry, 0, len(entries)+len(edits))
	for _, e := range edits {
		at, found := slices.BinarySearchFunc(entries, e.treeEntry, compareEntries)
		merged = append(merged, entries[:at]...)
		entries = entries[at:]
		if found {
			if entries[0].mode == modeExecutable && e.keepBit {
				e.mode = modeExecutable // set by hand; not ours to take away
			}
			changed = changed || e.remove || entries[0].hash != e.hash || entries[0].mode != e.mode
			entries = entries[1:]
		}
		if e.remove {
			continue
		}
		merged = append(merged, e.treeEntry)
		if !found {
			fresh = append(fresh, e.treeEntry)
		}
	}
	merged = append(merged, entries...)
	return merged, fresh, changed || len(fresh) > 0
}

// fewNames is up to how many new names are compared with each old one; beyond,
// a map of them costs less.
const fewNames = 8

// checkClashes refuses a new name that differs from another by case alone,
// because a checkout on Windows or macOS could hold only one of them, and a
// file and a folder of one name.
func checkClashes(entries, fresh []treeEntry) error {
	if len(fresh) > fewNames {
		return checkManyClashes(entries, fresh)
	}
	for _, e := range fresh {
		for _, other := range entries {
			if strings.EqualFold(e.name, other.name) && !sameEntry(e, other) {
				return clash(e, other)
			}
		}
	}
	return nil
}

func checkManyClashes(entries, fresh []treeEntry) error {
	byFold := make(map[string]treeEntry, len(fresh))
	for _, e := range fresh {
		key := fold(e.name)
		if other, found := byFold[key]; found {
			return clash(e, other)
		}
		byFold[key] = e
	}
	for _, other := range entries {
		if e, found := byFold[fold(other.name)]; found && !sameEntry(e, other) {
			return clash(e, other)
		}
	}
	return nil
}

// checkDoubles refuses only what no tree can hold: a file and a folder of one name.
func checkDoubles(entries, fresh []treeEntry) error {
	byName := make(map[string]treeEntry, len(fresh))
	for _, e := range fresh {
		if other, found := byName[e.name]; found {
			return clash(e, other)
		}
		byName[e.name] = e
	}
	for _, other := range entries {
		if e, found := byName[other.name]; found && !sameEntry(e, other) {
			return clash(e, other)
		}
	}
	return nil
}

func sameEntry(a, b treeEntry) bool { return a.name == b.name && a.folder() == b.folder() }

func clash(e, other treeEntry) error {
	if e.name == other.name {
		return fmt.Errorf("%w: %q is both a file and a folder", ErrClash, e.name)
	}
	return fmt.Errorf("%w: %q differs from %q by case alone", ErrClash, e.name, other.name)
}
