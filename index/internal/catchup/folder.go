// Package catchup keeps the index in a folder up to date with what it is made from: it
// takes the locks, applies what changed or rebuilds, repairs damage, and shows the open
// store to a reader. It does not search. Facts is the content of the index of facts;
// package index/events has its own.
package catchup

import (
	"context"
	"iter"
	"log/slog"
	"path/filepath"
	"time"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"engram/index/internal/store"
	"engram/internal/filelock"
)

// Folder is the folder of an index. Several processes may use it at a time. It
// contains:
//
//	lock         held shared by readers, and exclusively by whoever changes current/
//	write.lock   held exclusively by the process that prepares a change: the
//	             queue of writers
//	current/     the index: Bleve's files and seal.json
//	build-*/     an index that is being built, or that a builder left when it died
type Folder struct {
	Dir     string
	Content Content
	Logger  *slog.Logger
	Kept    *Kept // nil: the index is opened for each call
}

// Content is what an index is made from.
type Content interface {
	// Fits reports whether an index with a stamp was written by this version of
	// engram.
	Fits(st store.Stamp) bool
	// Plan compares an open index that reflects st with a revision. The result is
	// nil if the index is there already or ahead. s is closed before the portions
	// are asked for; the error may be one of Rebuild or Damaged.
	Plan(ctx context.Context, s *store.Store, st store.Stamp, revision string) (iter.Seq2[Portion, error], error)
	// Build fills an empty store, and returns what it reflects then and how many
	// documents were written.
	Build(ctx context.Context, s *store.Store, revision string) (st store.Stamp, indexed int, err error)
}

// Portion is a part of a change that is written at once. Readers may use the index
// between two portions.
type Portion struct {
	Batch   *bleveapi.Batch
	Drop    []string    // documents with one of these filter terms go, unless Batch has them
	To      store.Stamp // what the index reflects with it
	Indexed int
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
