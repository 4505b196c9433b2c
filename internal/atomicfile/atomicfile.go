// Package atomicfile replaces a file in one step: a reader sees the former content or the
// new one, never a part of it.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces the file at path, or creates it, with exactly this mode whatever the
// umask is. The folder must exist. If durable, the content survives a power cut once
// Write has returned. A process that is killed leaves a file .NAME.NUMBER, which
// filelock.Sweep removes.
func Write(path string, content []byte, mode fs.FileMode, durable bool) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil && durable {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Chmod(f.Name(), mode)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if durable {
		return syncFolder(filepath.Dir(path))
	}
	return nil
}

// syncFolder makes a rename durable, on systems that can.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = f.Sync()
	return f.Close()
}
