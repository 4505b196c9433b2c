package catchup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"engram/index/internal/store"
	"engram/internal/filelock"
)

// withoutWriting serves a call if the folder cannot be written: with the existing index,
// or with one in memory.
func (c *call) withoutWriting(ctx context.Context, why error) error {
	c.Logger.Debug("the index cannot be written", "error", why)
	if release, err := acquire(ctx, c.path("lock"), filelock.Shared); err == nil {
		defer release()
	} else if ctx.Err() != nil {
		return err
	}
	s, st, err := c.open(store.ReadSeal(c.current()))
	if err == nil {
		err = c.use(s, st)
		if rebuild := (*errRebuild)(nil); !errors.As(err, &rebuild) {
			return err
		}
	}
	reason := "there was no index and none could be written"
	if _, statErr := os.Stat(c.current()); !errors.Is(statErr, fs.ErrNotExist) {
		reason = fmt.Sprintf("%v and it could not be written", err)
	}
	return c.inMemory(ctx, reason)
}

// inMemory builds an index for this call alone.
func (c *call) inMemory(ctx context.Context, reason string) error {
	s, err := store.Open("", store.ForWriting)
	if err != nil {
		return fmt.Errorf("build the index in memory: %w", err)
	}
	st, indexed, err := c.Content.Build(ctx, s, c.revision)
	if err == nil {
		err = s.Refresh()
	}
	if err != nil {
		_ = s.Close()
		return fmt.Errorf("build the index in memory: %w", err)
	}
	c.worked = true
	c.report.Rebuilt, c.report.Reason, c.report.Indexed = true, reason, indexed
	return c.use(s, st)
}
