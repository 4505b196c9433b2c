package catchup

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"engram/index/internal/store"
	"engram/index/internal/version"
	"engram/internal/filelock"
)

const (
	buildPattern = "build-*"
)

// rebuild builds the index of the revision in a new folder and swaps it in. Readers keep
// using the old one meanwhile. The caller holds write.lock.
func (c *call) rebuild(ctx context.Context, reason string) error {
	c.removeStale()
	c.Logger.Info("building the index", "reason", reason, "revision", c.revision)
	folder, err := os.MkdirTemp(c.Dir, buildPattern)
	if err != nil {
		return fmt.Errorf("build the index: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	s, err := store.Open(folder, store.ForBuilding)
	if err != nil {
		return fmt.Errorf("build the index: %w", err)
	}
	b := &builder{call: c, store: s}
	err = b.run(ctx)
	if closeErr := s.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = store.WriteSeal(folder, b.stamp.Revision)
	}
	if err == nil {
		err = c.swap(ctx, folder)
	}
	if err != nil {
		return fmt.Errorf("build the index: %w", err)
	}
	c.worked = true
	c.reflect(b.stamp)
	c.report.Rebuilt, c.report.Reason, c.report.Indexed = true, reason, b.indexed
	return nil
}

// swap replaces the current index by a finished one.
func (c *call) swap(ctx context.Context, folder string) error {
	release, err := acquire(ctx, c.path("lock"), filelock.Exclusive)
	if err != nil {
		return err
	}
	defer release()
	old := folder + ".old"
	if err := os.Rename(c.current(), old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	defer func() { _ = os.RemoveAll(old) }()
	return os.Rename(folder, c.current())
}

// removeStale removes what dead builders left. Only one process builds at a time, so none
// of it is in use.
func (c *call) removeStale() {
	stale, _ := filepath.Glob(c.path(buildPattern))
	for _, folder := range stale {
		_ = os.RemoveAll(folder)
	}
}

// builder fills an empty store with every state of a revision's history.
type builder struct {
	*call
	store   *store.Store
	mu      sync.Mutex // guards what follows
	stamp   store.Stamp
	indexed int
	done    int
	total   int
}

// run reads the states in the calling goroutine and indexes them in one goroutine for each
// processor.
func (b *builder) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b.stamp = store.Stamp{Layout: store.LayoutVersion, Analysis: store.AnalysisVersion, Concepts: b.ConceptsVersion, Revision: b.revision, Build: rand.Text()}
	states, total, err := b.Source.States(ctx, b.revision)
	if err != nil {
		return &version.SourceError{Err: err}
	}
	b.total = total
	work := make(chan []*version.History, 2)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			if err := b.work(ctx, work); err != nil {
				cancel(err)
			}
		})
	}
	err = feed(ctx, states, work)
	close(work)
	workers.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err != nil {
		return err
	}
	return b.store.Write(bleveapi.NewBatch(), &b.stamp)
}
