package object

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// syncers is how many files are synced at a time: the journal of the file
// system takes several in one go.
const syncers = 16

// looseWriter writes the objects of one commit, a file each.
type looseWriter struct {
	*Dir
	readers os.FileMode
	mu      sync.Mutex
	folders map[string]bool // that have new names in them
}

func (d *Dir) writeLoose(ctx context.Context, objects []Object, readers os.FileMode) error {
	w := &looseWriter{Dir: d, readers: readers, folders: map[string]bool{}}
	err := inParallel(objects, func(o Object) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return w.writeObject(o)
	})
	if err != nil {
		return fmt.Errorf("write objects: %w", err)
	}
	if err := syncFolders(w.folders); err != nil {
		return fmt.Errorf("sync objects: %w", err)
	}
	return nil
}

// inParallel calls do for each item, for as many at a time as files are synced, and
// returns the first error.
func inParallel[T any](items []T, do func(T) error) error {
	work := make(chan T)
	errs := make([]error, min(syncers, len(items)))
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			for item := range work {
				errs[i] = cmp.Or(errs[i], do(item))
			}
		})
	}
	for _, item := range items {
		work <- item
	}
	close(work)
	wg.Wait()
	return cmp.Or(errs...)
}

// writeObject writes one loose object.
func (w *looseWriter) writeObject(o Object) error {
	name := o.hash.String()
	folder := filepath.Join(w.Path, name[:2])
	final := filepath.Join(folder, name[2:])
	if err := refresh(final); err == nil {
		w.touched(folder)
		return nil
	}
	content := func(f io.Writer) error {
		_, err := f.Write(w.deflated(objectHeader(o.kind, len(o.data)), o.data))
		return err
	}
	err := writeFile(final, "obj", w.readers, content)
	// A git that packs objects removes folders that it emptied, also one that
	// was made an instant ago.
	for range folderTries {
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err = makeFolder(folder, w.Path); err == nil {
			err = writeFile(final, "obj", w.readers, content)
		}
	}
	if err == nil {
		w.touched(folder)
	}
	return err
}

// folderTries bounds how often a folder is made again.
const folderTries = 20

// touched notes that folder may have a name that is not durable yet, and that
// objects may have folder itself, whoever made it.
func (w *looseWriter) touched(folder string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.folders[folder] = true
	w.folders[w.Path] = true
}

// makeFolder makes a folder that is as accessible as the one it is in.
func makeFolder(folder, parent string) error {
	info, err := os.Stat(parent)
	if err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o777); errors.Is(err, fs.ErrExist) {
		return nil // another process was faster
	} else if err != nil {
		return err
	}
	return os.Chmod(folder, info.Mode().Perm()|info.Mode()&fs.ModeSetgid)
}
