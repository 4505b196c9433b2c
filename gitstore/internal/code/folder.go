package code

import (
	"context"
	"path/filepath"
	"strings"

	"engram/gitstore/internal/object"
	"engram/gitstore/internal/repo"
)

// CodeEntry is something in a folder of the code.
type CodeEntry struct {
	Code
	Path string // its name in the folder
}

// CodeFolder lists a folder of the code by the name of its object (CodeAt), in git's
// order. The error wraps ErrNotFound or ErrTooLarge.
func (r *Reader) CodeFolder(ctx context.Context, name string) ([]CodeEntry, error) {
	entries, err := r.repo.Tree(ctx, name)
	if err != nil {
		return nil, err
	}
	list := make([]CodeEntry, len(entries))
	for i, e := range entries {
		list[i] = CodeEntry{codeOf(e), e.Name}
	}
	return list, nil
}

// codeOf is what an entry is to those who read the code.
func codeOf(e object.Entry) Code {
	code := Code{CodeFile, e.Hash.String()}
	switch {
	case e.Folder():
		code.Kind = CodeFolder
	case strings.HasPrefix(e.Mode, "12"):
		code.Kind = CodeLink
	case strings.HasPrefix(e.Mode, "16"):
		code.Kind = CodeSubmodule
	}
	return code
}

// Shallow reports whether the history is cut off, so that a commit may be missing.
func (r *Reader) Shallow() bool { return repo.Exists(filepath.Join(r.repo.CommonDir, "shallow")) }

// RootFolder is the name of the folder that holds all of a commit of the code, which is
// named in full.
func (r *Reader) RootFolder(ctx context.Context, commit string) (string, error) {
	return r.codeTree(ctx, commit)
}
