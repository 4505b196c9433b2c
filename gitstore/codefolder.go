package gitstore

import (
	"context"
	"path/filepath"
	"strings"
)

// CodeEntry is something in a folder of the code.
type CodeEntry struct {
	Code
	Path string // its name in the folder
}

// CodeFolder lists a folder of the code by the name of its object (CodeAt), in git's
// order. The error wraps ErrNotFound or ErrTooLarge.
func (s *Store) CodeFolder(ctx context.Context, name string) ([]CodeEntry, error) {
	entries, err := s.tree(ctx, name)
	if err != nil {
		return nil, err
	}
	list := make([]CodeEntry, len(entries))
	for i, e := range entries {
		list[i] = CodeEntry{e.code(), e.name}
	}
	return list, nil
}

// code is what an entry is to those who read the code.
func (e treeEntry) code() Code {
	code := Code{CodeFile, e.hash.String()}
	switch {
	case e.folder():
		code.Kind = CodeFolder
	case strings.HasPrefix(e.mode, "12"):
		code.Kind = CodeLink
	case strings.HasPrefix(e.mode, "16"):
		code.Kind = CodeSubmodule
	}
	return code
}

// Shallow reports whether the history is cut off, so that a commit may be missing.
func (s *Store) Shallow() bool { return exists(filepath.Join(s.commonDir, "shallow")) }

// RootFolder is the name of the folder that holds all of a commit of the code, which is
// named in full.
func (s *Store) RootFolder(ctx context.Context, commit string) (string, error) {
	return s.codeTree(ctx, commit)
}
