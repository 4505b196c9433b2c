package filelock

import (
	"io/fs"
	"os"
	"path/filepath"
)

// stateFolder is what derived state lies in, beside the HEAD of a repository.
const stateFolder = "engram"

// MakeFolder makes a folder of derived state and those above it, but never the
// repository: where that has gone away, nothing is put in its place. The error
// wraps fs.ErrNotExist then.
func MakeFolder(dir string) error {
	inState := false
	for above := dir; filepath.Dir(above) != above; above = filepath.Dir(above) {
		if filepath.Base(above) != stateFolder {
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(above), "HEAD")); err == nil {
			return os.MkdirAll(dir, 0o755)
		}
		inState = true
	}
	if inState {
		return &fs.PathError{Op: "mkdir", Path: dir, Err: fs.ErrNotExist}
	}
	return os.MkdirAll(dir, 0o755)
}
