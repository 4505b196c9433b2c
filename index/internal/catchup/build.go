package catchup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"engram/index/internal/store"
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
	st, indexed, err := c.Content.Build(ctx, s, c.revision)
	if closeErr := s.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = store.WriteSeal(folder, st.Revision)
	}
	if err == nil {
		err = c.swap(ctx, folder)
	}
	if err != nil {
		return fmt.Errorf("build the index: %w", err)
	}
	c.worked = true
	c.reflect(st)
	c.report.Rebuilt, c.report.Reason, c.report.Indexed = true, reason, indexed
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
