package object

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"engram/gitstore/internal/gitcmd"
)

// FindEntry looks in a tree for a folder of that name, or for something else.
func FindEntry(entries []Entry, name string, folder bool) (Entry, bool) {
	wanted := Entry{Mode: ModeFile, Name: name}
	if folder {
		wanted.Mode = ModeFolder
	}
	at, found := slices.BinarySearchFunc(entries, wanted, CompareEntries)
	if !found {
		return Entry{}, false
	}
	return entries[at], true
}

// Modes of tree entries, as git writes them.
const (
	ModeFile       = "100644"
	ModeExecutable = "100755"
	ModeFolder     = "40000"
)

// Entry is one line of a tree object.
type Entry struct {
	Mode, Name string
	Hash       Hash
}

// Folder reports whether the entry is a tree.
func (e Entry) Folder() bool { return e.Mode == ModeFolder }

// end is the byte that git's order puts behind the name.
func (e Entry) end() byte {
	if e.Folder() {
		return '/'
	}
	return 0
}

// CompareEntries is git's order: folders sort as if their names ended in a
// slash. A file and a folder of one name are two different entries to it.
func CompareEntries(a, b Entry) int {
	n := min(len(a.Name), len(b.Name))
	if c := strings.Compare(a.Name[:n], b.Name[:n]); c != 0 {
		return c
	}
	endA, endB := a.end(), b.end()
	if len(a.Name) > n {
		endA = a.Name[n]
	}
	if len(b.Name) > n {
		endB = b.Name[n]
	}
	return cmp.Compare(endA, endB)
}

// DecodeTree reads a tree object of a repository of that format. Entries of a tree that some other tool wrote
// out of order are put in order.
func DecodeTree(f Format, data []byte) ([]Entry, error) {
	size := f.size()
	text := string(data) // names are parts of it, so that 1,000 entries take two allocations
	entries := make([]Entry, 0, len(data)/40)
	for at := 0; at < len(data); {
		space := bytes.IndexByte(data[at:], ' ')
		zero := bytes.IndexByte(data[at:], 0)
		if space < 0 || zero < space || at+zero+1+size > len(data) {
			return nil, fmt.Errorf("%w: a tree object is truncated", gitcmd.ErrDamaged)
		}
		mode := strings.TrimLeft(text[at:at+space], "0") // some old tools padded it
		switch mode {
		case ModeFile:
			mode = ModeFile // the constant keeps less alive
		case ModeFolder:
			mode = ModeFolder
		}
		next := at + zero + 1 + size
		entries = append(entries, Entry{mode, text[at+space+1 : at+zero], Hash(text[next-size : next])})
		at = next
	}
	if !slices.IsSortedFunc(entries, CompareEntries) {
		slices.SortFunc(entries, CompareEntries)
	}
	return entries, nil
}

// EncodeTree is the content of a tree object with these entries, in git's order.
func EncodeTree(entries []Entry) []byte {
	size := 0
	for _, e := range entries {
		size += len(e.Mode) + len(e.Name) + 2 + len(e.Hash)
	}
	b := make([]byte, 0, size)
	for _, e := range entries {
		b = append(append(append(append(b, e.Mode...), ' '), e.Name...), 0)
		b = append(b, e.Hash...)
	}
	return b
}

// MaxTree bounds a tree object: 100,000 facts in one category are 5 MB.
const MaxTree = 64 << 20

// Fold maps names that a case-insensitive file system takes for one to the same
// string; it agrees with strings.EqualFold.
func Fold(s string) string {
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

// MaxCommit bounds a commit object: an import lists one line a fact.
const MaxCommit = 64 << 20

// TreeOf is the name of a commit's tree.
func TreeOf(obj gitcmd.Object) (string, error) {
	line, _, _ := bytes.Cut(obj.Data[:min(len(obj.Data), 80)], []byte("\n"))
	name, ok := strings.CutPrefix(string(line), "tree ")
	if obj.Kind != "commit" || !ok || !IsFull(name) {
		return "", fmt.Errorf("%s is a %s, not a commit", obj.Name, obj.Kind)
	}
	return name, nil
}
