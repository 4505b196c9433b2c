package treemerge

import (
	"engram/gitstore/internal/commit"
)

// Contest is one path that both sides of a merge changed in different ways.
// nil is absence.
type Contest struct {
	Path               string
	Base, Ours, Theirs []byte
}

// Joiner decides what a merge cannot. Both methods must be pure functions of
// their arguments, and Join symmetric in ours and theirs, for merges to
// converge: the same contest is put again after a lost race, in other clones,
// and where a past of several merges is made into one.
type Joiner interface {
	// Join returns the files that take the place of a contested path: normally
	// the winner at Path, and what gave way under other paths. Without a file
	// at Path nothing stands there afterwards. A file under another path where
	// one stands already is contested in its turn, without a base.
	Join(Contest) ([]commit.Write, error)
	// Move returns where a file goes that cannot stay at path because another
	// path differs from it by case alone, or a folder stands there.
	Move(path string, data []byte) (commit.Write, error)
}
