package filelock

import (
	"io/fs"
	"os"
	"path/filepath"
)

// stateFolder holds derived state, beside the HEAD of a repository.
const stateFolder = "engram"

// MakeFolder creates a folder of derived state and its parents, but never the git
// directory itself: if that was removed, the error wraps fs.ErrNotExist.
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
