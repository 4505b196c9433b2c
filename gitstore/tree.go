package gitstore

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Modes of tree entries, as git writes them.
const (
	modeFile   = "100644"
	modeFolder = "40000"
)

// hash is the name of an object, as trees store it.
type hash [20]byte

func parseHash(name string) (h hash, err error) {
	if n, err := hex.Decode(h[:], []byte(name)); err != nil || n != len(h) {
		return h, fmt.Errorf("%q is no object name", name)
	}
	return h, nil
}

func (h hash) String() string { return hex.EncodeToString(h[:]) }

// treeEntry is one line of a tree object.
type treeEntry struct {
	mode, name string
	hash       hash
}

// compareEntries is git's order: folders sort as if their names ended in a slash.
func compareEntries(a, b treeEntry) int {
	if c := strings.Compare(a.name, b.name); c == 0 || a.mode != modeFolder && b.mode != modeFolder {
		return c
	}
	return strings.Compare(sortName(a), sortName(b))
}

func sortName(e treeEntry) string {
	if e.mode == modeFolder {
		return e.name + "/"
	}
	return e.name
}

func decodeTree(data []byte) ([]treeEntry, error) {
	entries := make([]treeEntry, 0, len(data)/50)
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, found := strings.Cut(string(head), " ")
		if !ok || !found || len(rest) < len(hash{}) {
			return nil, fmt.Errorf("a tree object is damaged")
		}
		entries = append(entries, treeEntry{mode, name, hash(rest[:20])})
		data = rest[20:]
	}
	return entries, nil
}

func encodeTree(entries []treeEntry) []byte {
	size := 0
	for _, e := range entries {
		size += len(e.mode) + len(e.name) + 22
	}
	b := make([]byte, 0, size)
	for _, e := range entries {
		b = append(append(append(append(b, e.mode...), ' '), e.name...), 0)
		b = append(b, e.hash[:]...)
	}
	return b
}

// edit is a wanted state of one path below a tree: a blob, or nothing.
type edit struct {
	path   string // relative to the tree
	blob   hash
	remove bool
}

// treeEditor makes new trees out of old ones and collects what has to be written.
type treeEditor struct {
	store *Store
	put   func(kind string, data []byte) hash
}

// apply returns the tree that base becomes, and whether anything is left in it.
// base "" is the empty tree. Edits are grouped by folder, so each tree on the
// way is read and written once however many facts change.
func (t *treeEditor) apply(ctx context.Context, base string, edits []edit) (hash, bool, error) {
	entries, err := t.store.tree(ctx, base)
	if err != nil {
		return hash{}, false, err
	}
	here, below := groupEdits(edits)
	changed := slices.Clone(here)
	for folder, nested := range below {
		old := ""
		if e, found := findEntry(entries, folder); found && e.mode == modeFolder {
			old = e.hash.String()
		}
		sub, some, err := t.apply(ctx, old, nested)
		if err != nil {
			return hash{}, false, err
		}
		changed = append(changed, entryEdit{treeEntry{modeFolder, folder, sub}, !some})
	}
	entries, err = mergeEntries(entries, changed)
	if err != nil || len(entries) == 0 {
		return hash{}, false, err
	}
	data := encodeTree(entries)
	h := t.put("tree", data)
	t.store.trees.add(h.String(), entries)
	return h, true, nil
}

type entryEdit struct {
	treeEntry
	remove bool
}

func groupEdits(edits []edit) (here []entryEdit, below map[string][]edit) {
	below = make(map[string][]edit)
	for _, e := range edits {
		if folder, rest, nested := strings.Cut(e.path, "/"); nested {
			below[folder] = append(below[folder], edit{rest, e.blob, e.remove})
		} else {
			here = append(here, entryEdit{treeEntry{modeFile, e.path, e.blob}, e.remove})
		}
	}
	return here, below
}

func findEntry(entries []treeEntry, name string) (treeEntry, bool) {
	for _, e := range entries {
		if e.name == name {
			return e, true
		}
	}
	return treeEntry{}, false
}

// mergeEntries replaces, removes and inserts. A new name that differs from an
// existing one by case alone is refused, because a checkout on Windows or
// macOS could hold only one of them, and so is a file in a folder's place.
func mergeEntries(entries []treeEntry, edits []entryEdit) ([]treeEntry, error) {
	pending := make(map[string]entryEdit, len(edits))
	for _, e := range edits {
		pending[e.name] = e
	}
	merged := make([]treeEntry, 0, len(entries)+len(edits))
	for _, old := range entries {
		e, touched := pending[old.name]
		if !touched {
			merged = append(merged, old)
			continue
		}
		delete(pending, old.name)
		if (old.mode == modeFolder) != (e.mode == modeFolder) && !e.remove {
			return nil, fmt.Errorf("%w: %q is a folder in one and a file in the other", ErrClash, old.name)
		}
		if !e.remove {
			merged = append(merged, e.treeEntry)
		}
	}
	if len(pending) == 0 {
		return merged, nil
	}
	byFold := make(map[string]string, len(merged))
	for _, e := range merged {
		byFold[strings.ToLower(e.name)] = e.name
	}
	for _, e := range pending {
		if e.remove {
			continue
		}
		if other, clash := byFold[strings.ToLower(e.name)]; clash {
			return nil, fmt.Errorf("%w: %q differs from %q by case alone", ErrClash, e.name, other)
		}
		byFold[strings.ToLower(e.name)] = e.name
		merged = append(merged, e.treeEntry)
	}
	slices.SortFunc(merged, compareEntries)
	return merged, nil
}

// maxTree bounds a tree object: 100,000 facts in one category are 10 MB.
const maxTree = 64 << 20

func (s *Store) tree(ctx context.Context, name string) ([]treeEntry, error) {
	if name == "" {
		return nil, nil
	}
	if entries, ok := s.trees.get(name); ok {
		return entries, nil
	}
	obj, err := s.cat.get(ctx, name, maxTree)
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", name, err)
	}
	if obj.kind != "tree" {
		return nil, fmt.Errorf("read tree %s: it is a %s", name, obj.kind)
	}
	entries, err := decodeTree(obj.data)
	if err == nil {
		s.trees.add(name, entries)
	}
	return entries, err
}

// treeCache keeps the trees that the next commit most likely builds on. The
// entries in it are never changed.
type treeCache struct {
	mu      sync.Mutex
	trees   map[string][]treeEntry
	entries int
}

// maxCachedEntries bounds the cache to some 20 MB.
const maxCachedEntries = 200_000

func (c *treeCache) get(name string) ([]treeEntry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entries, ok := c.trees[name]
	return entries, ok
}

func (c *treeCache) add(name string, entries []treeEntry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.trees[name]; known || len(entries) > maxCachedEntries {
		return
	}
	// Old versions of a tree are of no more use; starting over is the cheapest
	// way to be rid of them and costs a few reads.
	if c.trees == nil || c.entries+len(entries) > maxCachedEntries {
		c.trees, c.entries = make(map[string][]treeEntry), 0
	}
	c.trees[name] = entries
	c.entries += cmp.Or(len(entries), 1)
}
