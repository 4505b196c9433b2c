package gitstore

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/memory"
)

// newObjects collects the objects of one commit before any is written.
type newObjects struct {
	list []newObject
	seen map[hash]bool
}

type newObject struct {
	kind string
	data []byte
	hash hash
}

func (n *newObjects) put(kind string, data []byte) hash {
	sum := sha1.New()
	sum.Write(objectHeader(kind, len(data)))
	sum.Write(data)
	h := hash(sum.Sum(nil))
	if n.seen == nil {
		n.seen = make(map[hash]bool)
	}
	if !n.seen[h] {
		n.seen[h] = true
		n.list = append(n.list, newObject{kind, data, h})
	}
	return h
}

func objectHeader(kind string, size int) []byte {
	return append(strconv.AppendInt([]byte(kind+" "), int64(size), 10), 0)
}

// packAbove is the number of objects from which one pack file is written
// instead of a file each. Below it the syncs of single files cost less than
// starting git; far below it, packs would pile up faster than git merges them.
const packAbove = 300

// write makes the objects durable: when it returns, they survive a power cut.
func (s *Store) write(ctx context.Context, objects []newObject) error {
	if len(objects) > packAbove {
		return s.writePack(ctx, objects)
	}
	return s.writeLoose(ctx, objects)
}

// syncers is how many files are synced at a time: the journal of the file
// system takes several in one go.
const syncers = 16

func (s *Store) writeLoose(ctx context.Context, objects []newObject) error {
	var (
		mu      sync.Mutex
		errs    []error
		folders = make(map[string]bool)
		work    = make(chan newObject)
		wg      sync.WaitGroup
	)
	for range min(syncers, len(objects)) {
		wg.Go(func() {
			for o := range work {
				folder, err := s.writeObject(o)
				mu.Lock()
				folders[folder] = true
				errs = append(errs, err)
				mu.Unlock()
			}
		})
	}
	for _, o := range objects {
		if ctx.Err() != nil {
			break
		}
		work <- o
	}
	close(work)
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("write objects: %w", err)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return s.syncFolders(folders)
}

// syncFolders makes the names of new files durable, not just their content.
func (s *Store) syncFolders(folders map[string]bool) error {
	var wg sync.WaitGroup
	errs := make(chan error, len(folders)+1)
	folders[s.objects] = true
	for folder := range folders {
		wg.Go(func() { errs <- syncFile(folder) })
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return fmt.Errorf("sync objects: %w", err)
		}
	}
	return nil
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// writeObject writes a loose object the way git does: under another name
// first, read-only, renamed when complete. git's gc removes what a crash leaves.
func (s *Store) writeObject(o newObject) (folder string, err error) {
	name := o.hash.String()
	folder = filepath.Join(s.objects, name[:2])
	final := filepath.Join(folder, name[2:])
	if err := syncFile(final); err == nil {
		return folder, nil // it is there already; now it is durable as well
	}
	tmp, err := os.CreateTemp(folder, "tmp_obj_")
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return folder, err
		}
		tmp, err = os.CreateTemp(folder, "tmp_obj_")
	}
	if err != nil {
		return folder, err
	}
	if err = fillObject(tmp, o); err == nil {
		err = os.Rename(tmp.Name(), final)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return folder, err
}

func fillObject(f *os.File, o newObject) error {
	z := deflaters.Get().(*zlib.Writer)
	defer deflaters.Put(z)
	var buf bytes.Buffer
	z.Reset(&buf)
	_, _ = z.Write(objectHeader(o.kind, len(o.data))) // into memory: cannot fail
	_, _ = z.Write(o.data)
	_ = z.Close()
	_, err := f.Write(buf.Bytes())
	return errors.Join(err, f.Chmod(0o444), f.Sync(), f.Close())
}

// deflaters compress at level 1: four times faster on the tree of a large
// category than the default, for 7 % more bytes until the next repack.
var deflaters = sync.Pool{New: func() any {
	z, _ := zlib.NewWriterLevel(io.Discard, zlib.BestSpeed)
	return z
}}

// writePack hands all objects to `git index-pack`, which checks, syncs and
// names the pack.
func (s *Store) writePack(ctx context.Context, objects []newObject) error {
	storage := memory.NewStorage()
	names := make([]plumbing.Hash, 0, len(objects))
	for _, o := range objects {
		kind, err := plumbing.ParseObjectType(o.kind)
		if err != nil {
			return fmt.Errorf("write objects: %w", err)
		}
		encoded := &plumbing.MemoryObject{}
		encoded.SetType(kind)
		_, _ = encoded.Write(o.data)
		name, err := storage.SetEncodedObject(encoded)
		if err != nil {
			return fmt.Errorf("write objects: %w", err)
		}
		names = append(names, name)
	}
	args := []string{"-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync", "index-pack", "--stdin"}
	cmd := command(ctx, s.gitDir, args...)
	r, w := io.Pipe()
	go func() {
		// No deltas: facts are small, and the next repack makes them anyway.
		_, err := packfile.NewEncoder(w, storage, false).Encode(names, 0)
		w.CloseWithError(err)
	}()
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = r, &stderr
	err := cmd.Run()
	_ = r.Close() // lets the encoder end where git did not read to the end
	if err != nil {
		return fmt.Errorf("write objects: %w", failure(ctx, args, stderr.String(), err))
	}
	return s.syncFolders(map[string]bool{filepath.Join(s.objects, "pack"): true})
}
