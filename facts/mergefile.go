package facts

import (
	"bytes"
	"encoding/hex"
	"path"
	"strings"
)

// File is a file of the branch.
type File struct {
	Path string
	Data []byte
}

// MergeFile merges two versions of the file at path without looking at other files.
// nil means that the file does not exist. The first file of the result is stored at
// path, the losing version beside it. The result does not depend on the order of ours
// and theirs.
//
//  1. Both are facts of that path: Merge, and the Rival of what was lost.
//  2. One of them is: it stands, and the other's bytes are kept beside it.
//  3. Neither is: the larger bytes stand, and the others are kept beside them.
//  4. One side removed what the other changed: the change stands, because
//     absence never means retirement.
func MergeFile(p string, base, ours, theirs []byte) []File {
	switch {
	case ours == nil && theirs == nil:
		return nil
	case ours == nil, theirs != nil && bytes.Equal(ours, theirs): // 4.
		return []File{{p, theirs}}
	case theirs == nil:
		return []File{{p, ours}}
	}
	a, aIsFact := factAt(p, ours)
	b, bIsFact := factAt(p, theirs)
	switch {
	case aIsFact && bIsFact: // 1.
		var before *Fact
		if f, ok := factAt(p, base); ok {
			before = &f
		}
		return filesOf(Merge(before, a, b))
	case aIsFact: // 2.
		return []File{{p, ours}, Beside(p, theirs)}
	case bIsFact:
		return []File{{p, theirs}, Beside(p, ours)}
	case bytes.Compare(ours, theirs) < 0: // 3.
		ours, theirs = theirs, ours
	}
	return []File{{p, ours}, Beside(p, theirs)}
}

func filesOf(m Merged) []File {
	files := []File{{m.Fact.Key.Path(), Marshal(m.Fact)}}
	if m.Lost != nil {
		rival := Rival(*m.Lost)
		files = append(files, File{rival.Key.Path(), Marshal(rival)})
	}
	return files
}

// MoveFile returns the new place of a file that cannot stay at its path, because of
// a folder there or of another file whose path differs in case only.
func MoveFile(p string, data []byte) File {
	f, ok := factAt(p, data)
	if !ok {
		return Beside(p, data)
	}
	rival := Rival(f)
	return File{rival.Key.Path(), Marshal(rival)}
}

// Beside returns the file that keeps the losing bytes of a path.
func Beside(p string, data []byte) File {
	mark := hex.EncodeToString(DigestOf(p, string(data)))[:suffixDigits]
	ending := path.Ext(p)
	return File{strings.TrimSuffix(p, ending) + RivalMark + mark + ending, data}
}

func factAt(p string, data []byte) (Fact, bool) {
	key, ok := KeyOfPath(p)
	if !ok || data == nil {
		return Fact{}, false
	}
	f, err := ParseAt(key, data)
	return f, err == nil
}
