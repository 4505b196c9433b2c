package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// edit is a wanted state of one path below a tree: a blob, or nothing.
type edit struct {
	path   string // relative to the tree
	blob   hash
	remove bool
}

// entryEdit is a wanted state of one entry of a tree.
type entryEdit struct {
	treeEntry
	remove bool
}

// treeEditor makes new trees out of old ones and hands over what has to be written.
type treeEditor struct {
	store *Store
	put   func(kind string, data []byte) hash
}

// apply returns the tree that the one called base ("" is the empty one)
// becomes, or "" where nothing is left in it. Edits are grouped by folder, so
// each tree on the way is read and written once however many facts change.
func (t *treeEditor) apply(ctx context.Context, base string, edits []edit) (string, error) {
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
	merged, changed, err := mergeEntries(entries, wanted)
	switch {
	case err != nil:
		return "", err
	case len(merged) == 0:
		return "", nil
	case !changed:
		return base, nil
	}
	name := t.put("tree", encodeTree(merged)).String()
	t.store.trees.replace(base, name, merged)
	return name, nil
}

// applyBelow is apply with the name in both forms.
func (t *treeEditor) applyBelow(ctx context.Context, base string, edits []edit) (string, hash, error) {
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
			below[folder] = append(below[folder], edit{rest, e.blob, e.remove})
		} else {
			files[e.path] = entryEdit{treeEntry{modeFile, e.path, e.blob}, e.remove}
		}
	}
	for _, e := range files {
		here = append(here, e)
	}
	return here, below
}

// mergeEntries replaces, removes and inserts, and tells whether that made a
// difference. To remove a file where a folder stands, or the reverse, changes
// nothing: what is to be gone is not there.
func mergeEntries(entries []treeEntry, edits []entryEdit) (merged []treeEntry, changed bool, err error) {
	slices.SortFunc(edits, func(a, b entryEdit) int { return compareEntries(a.treeEntry, b.treeEntry) })
	merged = make([]treeEntry, 0, len(entries)+len(edits))
	var fresh []treeEntry
	for _, e := range edits {
		at, found := slices.BinarySearchFunc(entries, e.treeEntry, compareEntries)
		merged = append(merged, entries[:at]...)
		entries = entries[at:]
		if found {
			if entries[0].mode == modeExecutable && !e.folder() {
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
	return merged, changed || len(fresh) > 0, checkClashes(merged, fresh)
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

func sameEntry(a, b treeEntry) bool { return a.name == b.name && a.folder() == b.folder() }

func clash(e, other treeEntry) error {
	if e.name == other.name {
		return fmt.Errorf("%w: %q is both a file and a folder", ErrClash, e.name)
	}
	return fmt.Errorf("%w: %q differs from %q by case alone", ErrClash, e.name, other.name)
}
