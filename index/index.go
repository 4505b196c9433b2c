package index

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"time"
)

// Index is the index of one memory branch in one folder. Between calls it keeps
// nothing but the mapping of its vectors, until Close. Its methods may be called from several goroutines, and several
// processes may have an Index on the same folder.
//
// In the folder:
//
//	lock         shared by who reads, exclusive to who changes current/
//	write.lock   exclusive to who prepares that: the queue of writers
//	current/     the index: Bleve's files and seal.json
//	build-*/     an index that is being built, or was when its builder died
type Index struct {
	dir     string
	src     Source
	options Options

	mu     sync.Mutex
	shared *sharedVectors // nil: none yet
}

// New returns the index of src in the folder dir. It does no I/O.
func New(dir string, src Source, opts *Options) *Index {
	x := &Index{dir: dir, src: src}
	if opts != nil {
		x.options = *opts
	}
	if x.options.Logger == nil {
		x.options.Logger = slog.New(slog.DiscardHandler)
	}
	return x
}

// View brings the index up to revision and calls fn with it, open for reading;
// until fn returns, nobody writes. Where the index is ahead of revision already
// it is used as it is. The report says which revision fn saw. fn may be nil.
//
// A damaged index is built anew, and so is one of another version of engram or
// of a history that was rewritten. If the damage shows only while fn searches,
// fn is called a second time after the rebuild.
//
// Where the folder cannot be written or the disk is full, fn gets the index as
// it stands, however far behind, or without one an index in memory that is gone
// afterwards. Errors are those of fn, of the source and of ctx.
func (x *Index) View(ctx context.Context, revision string, fn func(*View) error) (Report, error) {
	start := time.Now()
	c := &call{Index: x, revision: revision, fn: fn}
	err := c.run(ctx)
	if c.worked {
		c.report.Took = time.Since(start) - c.inside
	}
	return c.report, err
}

// CatchUp brings the index up to revision. See View.
func (x *Index) CatchUp(ctx context.Context, revision string) (Report, error) {
	return x.View(ctx, revision, nil)
}

// concepts names what a text is about.
func (x *Index) concepts(text string) []string {
	if x.options.Concepts == nil {
		return nil
	}
	return x.options.Concepts(text)
}

func (x *Index) path(name string) string { return filepath.Join(x.dir, name) }

func (x *Index) current() string { return x.path("current") }
