package vectors

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

// chunkRows is how many rows are copied together before they are written.
const chunkRows = 512

// Append adds rows to the file at path. Rows whose key exists already, in the file or
// earlier in the call, are omitted: a key stands for its vector. The vectors must be of
// unit length or zero; a zero vector is kept, so that its key is known, but Nearest never
// returns it.
//
// If there is no file, or it is damaged or has another stamp, a new file replaces it in one
// step; with no rows to add nothing happens.
//
// Only one process may append at a time. Others may have the file open: they continue to
// see the former rows. On Windows replacing a file that is open is an error. After an error
// the file has its former rows.
func Append(path string, stamp Stamp, keys []uint64, vectors [][]float32) error {
	if err := appendRows(path, stamp, keys, vectors); err != nil {
		return fmt.Errorf("append vectors to %s: %w", path, err)
	}
	return nil
}

func appendRows(path string, stamp Stamp, keys []uint64, vectors [][]float32) error {
	if err := check(stamp, keys, vectors); err != nil || len(keys) == 0 {
		return err
	}
	old, err := open(path)
	switch {
	case err == nil && old.stamp == stamp:
		head := old.header
		rows := newRows(old, keys, vectors)
		if err := old.Close(); err != nil || len(rows.keys) == 0 {
			return err
		}
		return extend(path, head, rows)
	case err == nil:
		if err := old.Close(); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrDamaged):
		return err
	}
	return replace(path, stamp, newRows(nil, keys, vectors))
}

func check(stamp Stamp, keys []uint64, vectors [][]float32) error {
	if len(stamp.Model) > maxModel || stamp.Dimensions < 1 || stamp.Dimensions > maxDimensions {
		return fmt.Errorf("%d dimensions, a model id of %d bytes", stamp.Dimensions, len(stamp.Model))
	}
	if len(keys) != len(vectors) {
		return fmt.Errorf("%d keys for %d vectors", len(keys), len(vectors))
	}
	for i, vector := range vectors {
		if len(vector) != stamp.Dimensions {
			return fmt.Errorf("vector %d has %d dimensions, not %d", i, len(vector), stamp.Dimensions)
		}
		if square := dot(vector, vector); square != 0 && !isUnit(square) {
			return fmt.Errorf("vector %d has length² %g, not 1", i, square)
		}
	}
	return nil
}

// batch is the rows to be written.
type batch struct {
	keys    []uint64
	vectors [][]float32
}

// newRows omits keys that old has, and repeated ones.
func newRows(old *File, keys []uint64, vectors [][]float32) batch {
	var rows batch
	seen := make(map[uint64]bool, len(keys))
	for i, key := range keys {
		known := seen[key]
		if !known && old != nil {
			_, known = old.Row(key)
		}
		if !known {
			seen[key] = true
			rows.keys = append(rows.keys, key)
			rows.vectors = append(rows.vectors, vectors[i])
		}
	}
	return rows
}

// extend appends rows to an existing file.
func extend(path string, head header, rows batch) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	w := newWriter(file, head)
	return errors.Join(w.append(rows), file.Close())
}

// replace writes a new file beside path and renames it. A draft of a writer that died is
// overwritten.
func replace(path string, stamp Stamp, rows batch) error {
	draft := path + ".new"
	file, err := os.OpenFile(draft, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	w := newWriter(file, header{stamp: stamp})
	_, err = file.WriteAt(stamp.encode(), 0)
	if err == nil {
		err = w.append(rows)
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(draft, path)
		if err != nil && runtime.GOOS == "windows" {
			err = fmt.Errorf("windows cannot replace a file that a process has open: %w", err)
		}
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft))
	}
	return nil
}
