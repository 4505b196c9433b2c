package code

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"engram/facts"
	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// WorkKind is what stands at a path of the work tree, without following any link. A
// link has its name, which is that of the blob git keeps of it; nothing else has one.
func (r *Reader) WorkKind(path string) (Code, error) {
	if err := facts.CheckPath(path); err != nil || r.repo.WorkTree == "" {
		return Code{}, nil
	}
	var code Code
	err := r.below(path, func(root *os.Root, name string) error {
		info, err := root.Lstat(name)
		if err != nil {
			return err
		}
		switch {
		case info.IsDir():
			code.Kind = CodeFolder
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := root.Readlink(name)
			code = Code{CodeLink, object.BlobName([]byte(target))}
			return err
		case info.Mode().IsRegular():
			code.Kind = CodeFile
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, gitcmd.ErrNotFound) {
		return Code{}, nil
	}
	if err != nil {
		return Code{}, fmt.Errorf("look at %s in the work tree: %w", path, err)
	}
	return code, nil
}
