// Package object has git's objects as values (names, trees, commits) and writes new
// ones durably, loose or as one pack. It reads none and moves no reference.
package object

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// Batch collects the objects of one commit before any is written. Dir.Batch makes one.
type Batch struct {
	List   []Object
	format Format
	seen   map[Hash]bool
}

// Object is an object that is to be written.
type Object struct {
	kind string
	data []byte
	hash Hash
}

// Put adds an object, once, and returns its name.
func (n *Batch) Put(kind string, data []byte) Hash {
	h := n.format.name(kind, data)
	if n.seen == nil {
		n.seen = make(map[Hash]bool)
	}
	if !n.seen[h] {
		n.seen[h] = true
		n.List = append(n.List, Object{kind, data, h})
	}
	return h
}

func objectHeader(kind string, size int) []byte {
	return append(strconv.AppendInt([]byte(kind+" "), int64(size), 10), 0)
}

// packAbove is the number of objects from which one pack file is written
// instead of a file each. A pack takes two syncs however much is in it: it
// draws level at some 15 objects and is three times as fast at 200. But packs
// slow every reader down until git merges them (it does from 50 on), so the
// commits of everyday life stay loose.
const packAbove = 24

// Dir is the folder that a repository keeps its objects in.
type Dir struct {
	Path   string
	GitDir string // of the repository, for git itself
	Format Format
	// Level is that of zlib; 0 is level 1: four times faster on the tree of a large
	// category than git's default, for 7 % more bytes until the next repack.
	Level int
}

// Batch returns an empty batch of objects for this folder.
func (d *Dir) Batch() Batch { return Batch{format: d.Format} }

// Write makes the objects durable: when it returns, they and their names
// survive a power cut.
func (d *Dir) Write(ctx context.Context, objects []Object) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	readers, err := readersOf(d.Path)
	if err != nil {
		return err
	}
	if len(objects) > packAbove {
		return d.writePack(ctx, objects, readers)
	}
	return d.writeLoose(ctx, objects, readers)
}

// readersOf returns the read permissions of new objects: those of the folder of all
// objects, which follow umask and core.sharedRepository at the time of git init.
func readersOf(folder string) (os.FileMode, error) {
	info, err := os.Stat(folder)
	if err != nil {
		return 0, err
	}
	return info.Mode().Perm() & 0o444, nil
}

// writeFile makes a file that is durable before it gets its name, the way git
// does: under a name that git's gc removes should we die half way. On any
// error it leaves nothing behind.
func writeFile(final, prefix string, readers os.FileMode, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(final), "tmp_"+prefix+"_")
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Chmod(readers)
	}
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), final)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// syncFile makes what is at path durable.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// refresh makes a file that is there already durable, and young: git's gc
// deletes unreachable objects by their age, and this one is about to be used.
func refresh(path string) error {
	if err := syncFile(path); err != nil {
		return err
	}
	now := time.Now()
	return os.Chtimes(path, now, now)
}

// syncFolders makes the names in all the folders durable. A folder may be gone
// again: git removes one when all that was in it is in a (synced) pack.
func syncFolders(folders map[string]bool) error {
	errs := make(chan error, len(folders))
	for folder := range folders {
		go func() { errs <- SyncFolder(folder) }()
	}
	var err error
	for range folders {
		if e := <-errs; !errors.Is(e, fs.ErrNotExist) {
			err = cmp.Or(err, e)
		}
	}
	return err
}

// deflaters are the compressors of each level.
var deflaters [zlib.BestCompression + 1]sync.Pool

// deflated compresses the parts, one behind the other.
func (d *Dir) deflated(parts ...[]byte) []byte {
	level := cmp.Or(d.Level, zlib.BestSpeed)
	z, ok := deflaters[level].Get().(*zlib.Writer)
	if !ok {
		z, _ = zlib.NewWriterLevel(io.Discard, level)
	}
	defer deflaters[level].Put(z)
	var b bytes.Buffer
	z.Reset(&b)
	for _, part := range parts {
		_, _ = z.Write(part) // into memory: cannot fail
	}
	_ = z.Close()
	return b.Bytes()
}
