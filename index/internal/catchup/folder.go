// Package catchup keeps the index in a folder up to date with the branch: it takes
// the locks, applies what changed or rebuilds, repairs damage, and shows the open
// store to a reader. It does not search.
package catchup

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"engram/index/internal/store"
	"engram/index/internal/version"
	"engram/internal/filelock"
)

// Folder is the folder of the index of one memory branch. Several processes may
// use it at a time. It contains:
//
//	lock         held shared by readers, and exclusively by whoever changes current/
//	write.lock   held exclusively by the process that prepares a change: the
//	             queue of writers
//	current/     the index: Bleve's files and seal.json
//	build-*/     an index that is being built, or that a builder left when it died
type Folder struct {
	Dir      string
	Source   version.Source
	Logger   *slog.Logger
	Progress func(done, total int) // may be nil
	// Concepts names what a text is about; ConceptsVersion changes whenever its
	// answers do.
	Concepts        func(text string) []string
	ConceptsVersion int
}

// View brings the index up to revision and calls read with it, open for reading;
// nobody writes until read returns. read may be nil, and is called a second time
// if it finds the index damaged.
func (f *Folder) View(ctx context.Context, revision string, read func(*store.Store, store.Stamp) error) (Report, error) {
	start := time.Now()
	c := &call{Folder: f, revision: revision, read: read}
	err := c.run(ctx)
	if c.worked {
		c.report.Took = time.Since(start) - c.inside
	}
	return c.report, err
}

// Awaited reports whether somebody changes the index, or waits for its readers to do so.
func (f *Folder) Awaited() bool {
	release, free, err := filelock.Try(f.path("write.lock"), filelock.Exclusive)
	if err != nil || !free {
		return true
	}
	_ = release()
	return false
}

func (f *Folder) path(name string) string { return filepath.Join(f.Dir, name) }

func (f *Folder) current() string { return f.path("current") }
