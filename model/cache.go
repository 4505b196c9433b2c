package model

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Cache is the folder of downloaded models, one folder each. All fields but Dir may be
// zero. It may be used by several goroutines and processes, but two that download the same
// model at once disturb each other: both fail, and another download fixes that.
type Cache struct {
	Dir    string
	Models []Entry      // nil: Catalogue()
	Base   string       // "": DefaultBase
	Client *http.Client // nil: http.DefaultClient
	// Patience is how long a server may send nothing; 0 means a minute.
	Patience time.Duration
}

// NewCache returns the cache in ENGRAM_MODELS, or else in engram/models in the user's cache
// folder. It creates nothing yet.
func NewCache(getenv func(string) string) (*Cache, error) {
	if dir := getenv("ENGRAM_MODELS"); dir != "" {
		dir, err := filepath.Abs(dir)
		return &Cache{Dir: dir}, err
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("find the folder for models (ENGRAM_MODELS sets it): %w", err)
	}
	return &Cache{Dir: filepath.Join(dir, "engram", "models")}, nil
}

// Entries returns the models that can be in the cache.
func (c *Cache) Entries() []Entry {
	if c.Models != nil {
		return c.Models
	}
	return Catalogue()
}

// Lookup finds a model by its name.
func (c *Cache) Lookup(name string) (Entry, bool) {
	entries := c.Entries()
	if i := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == name }); i >= 0 {
		return entries[i], true
	}
	return Entry{}, false
}

// Path returns a model's folder, which need not exist. The error for a name that is not in
// Entries is an [UnknownError].
func (c *Cache) Path(name string) (string, error) {
	if _, ok := c.Lookup(name); !ok {
		return "", &UnknownError{Value: name}
	}
	return filepath.Join(c.Dir, name), nil
}

// Installed reports whether all files of a model exist, with their sizes.
func (c *Cache) Installed(name string) bool {
	e, ok := c.Lookup(name)
	for _, f := range e.Files {
		info, err := os.Stat(c.file(e, f))
		ok = ok && err == nil && info.Mode().IsRegular() && info.Size() == f.Size
	}
	return ok
}

func (c *Cache) file(e Entry, f File) string {
	return filepath.Join(c.Dir, e.Name, filepath.FromSlash(f.Path))
}

// Item is a model of the catalogue and its state.
type Item struct {
	Entry
	Dir       string // its folder, which need not exist
	Installed bool
	Fetched   int64 // bytes, including those of an interrupted download
}

// List returns all models, in the order of the catalogue.
func (c *Cache) List() []Item {
	var items []Item
	for _, e := range c.Entries() {
		item := Item{Entry: e, Dir: filepath.Join(c.Dir, e.Name), Installed: c.Installed(e.Name)}
		for _, f := range e.Files {
			for _, name := range []string{c.file(e, f), c.file(e, f) + partSuffix} {
				if info, err := os.Stat(name); err == nil {
					item.Fetched += info.Size()
				}
			}
		}
		items = append(items, item)
	}
	return items
}

// Check is the result of checking one file of a model.
type Check struct {
	Path    string
	Problem string // "" if the file is correct
}

// Verify hashes all files of an installed model and ignores its record. The error is a
// [NotInstalledError] if the folder is missing.
func (c *Cache) Verify(name string) ([]Check, error) {
	e, ok := c.Lookup(name)
	if !ok {
		return nil, &UnknownError{Value: name}
	}
	dir := filepath.Join(c.Dir, name)
	if _, err := os.Stat(dir); err != nil {
		return nil, &NotInstalledError{Name: name}
	}
	var checks []Check
	for _, f := range e.Files {
		checks = append(checks, Check{f.Path, problemOf(dir, f)})
	}
	return checks, nil
}

func problemOf(dir string, f File) string {
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(f.Path)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "missing"
	case err != nil:
		return err.Error()
	case info.Size() != f.Size:
		return fmt.Sprintf("%d bytes, should be %d", info.Size(), f.Size)
	}
	switch digest, err := hashFile(os.DirFS(dir), f.Path); {
	case err != nil:
		return err.Error()
	case digest != f.SHA256:
		return "SHA-256 " + digest + ", should be " + f.SHA256
	}
	return ""
}

// Remove deletes a model and reports whether there was anything. It touches nothing outside
// the cache, even through symbolic links.
func (c *Cache) Remove(name string) (bool, error) {
	if _, ok := c.Lookup(name); !ok {
		return false, &UnknownError{Value: name}
	}
	root, err := os.OpenRoot(c.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("remove the model %s: %w", name, err)
	}
	defer root.Close()
	if _, err := root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err := root.RemoveAll(name); err != nil {
		return false, fmt.Errorf("remove the model %s: %w", name, err)
	}
	return true, nil
}

// record stores the digests of files that were just verified.
func (c *Cache) record(e Entry) {
	r := Record{Version: recordVersion, Recorded: time.Now().UTC()}
	for _, f := range e.Files {
		info, err := os.Stat(c.file(e, f))
		if err != nil {
			return // then the first opening hashes
		}
		r.Files = append(r.Files, RecordFile{Name: f.Path, Size: f.Size, Modified: info.ModTime().UTC(), SHA256: f.SHA256})
	}
	_ = r.write(filepath.Join(c.Dir, e.Name)) // the same
}
