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
	objects string
	readers os.FileMode
	mu      sync.Mutex
	err     error           // the first
	folders map[string]bool // that have new names in them
}

func (d *Dir) writeLoose(ctx context.Context, objects []Object, readers os.FileMode) error {
	w := &looseWriter{objects: d.Path, readers: readers, folders: map[string]bool{}}
	work := make(chan Object)
	var wg sync.WaitGroup
	for range min(syncers, len(objects)) {
		wg.Go(func() {
			for o := range work {
				if err := w.writeObject(o); err != nil {
					w.mu.Lock()
					w.err = cmp.Or(w.err, err)
					w.mu.Unlock()
				}
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
	if w.err != nil {
		return fmt.Errorf("write objects: %w", w.err)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := syncFolders(w.folders); err != nil {
		return fmt.Errorf("sync objects: %w", err)
	}
	return nil
}

// writeObject writes one loose object.
func (w *looseWriter) writeObject(o Object) error {
	name := o.hash.String()
	folder := filepath.Join(w.objects, name[:2])
	final := filepath.Join(folder, name[2:])
	if err := refresh(final); err == nil {
		w.touched(folder)
		return nil
	}
	content := func(f io.Writer) error {
		_, err := f.Write(deflated(objectHeader(o.kind, len(o.data)), o.data))
		return err
	}
	err := writeFile(final, "obj", w.readers, content)
	// A git that packs objects removes folders that it emptied, also one that
	// was made an instant ago.
	for range folderTries {
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err = makeFolder(folder, w.objects); err == nil {
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
	w.folders[w.objects] = true
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
