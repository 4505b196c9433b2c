package gitstore

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Modes of tree entries, as git writes them.
const (
	modeFile       = "100644"
	modeExecutable = "100755"
	modeFolder     = "40000"
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

func (e treeEntry) folder() bool { return e.mode == modeFolder }

// end is the byte that git's order puts behind the name.
func (e treeEntry) end() byte {
	if e.folder() {
		return '/'
	}
	return 0
}

// compareEntries is git's order: folders sort as if their names ended in a
// slash. A file and a folder of one name are two different entries to it.
func compareEntries(a, b treeEntry) int {
	n := min(len(a.name), len(b.name))
	if c := strings.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	endA, endB := a.end(), b.end()
	if len(a.name) > n {
		endA = a.name[n]
	}
	if len(b.name) > n {
		endB = b.name[n]
	}
	return cmp.Compare(endA, endB)
}

// decodeTree reads a tree object. Entries of a tree that some other tool wrote
// out of order are put in order.
func decodeTree(data []byte) ([]treeEntry, error) {
	text := string(data) // names are parts of it, so that 1,000 entries take two allocations
	entries := make([]treeEntry, 0, len(data)/40)
	for at := 0; at < len(data); {
		space := bytes.IndexByte(data[at:], ' ')
		zero := bytes.IndexByte(data[at:], 0)
		if space < 0 || zero < space || at+zero+1+len(hash{}) > len(data) {
			return nil, fmt.Errorf("%w: a tree object ends half way", ErrDamaged)
		}
		mode := strings.TrimLeft(text[at:at+space], "0") // some old tools padded it
		switch mode {
		case modeFile:
			mode = modeFile // the constant keeps less alive
		case modeFolder:
			mode = modeFolder
		}
		next := at + zero + 1 + len(hash{})
		entries = append(entries, treeEntry{mode, text[at+space+1 : at+zero], hash(data[next-len(hash{}) : next])})
		at = next
	}
	if !slices.IsSortedFunc(entries, compareEntries) {
		slices.SortFunc(entries, compareEntries)
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

// maxTree bounds a tree object: 100,000 facts in one category are 5 MB.
const maxTree = 64 << 20

// tree reads the entries of the tree called name; "" is the empty one. The
// result is shared: it must not be changed.
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
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", name, err)
	}
	s.trees.add(name, entries)
	return entries, nil
}

// fold makes equal what a file system that ignores case takes for one name; it
// agrees with strings.EqualFold.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		if r < unicode.MaxASCII && r != 'k' && r != 's' {
			return r
		}
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		if 'A' <= least && least <= 'Z' {
			least += 'a' - 'A'
		}
		return least
	}, s)
}
