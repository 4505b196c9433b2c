package catchup

import (
	"context"
	"fmt"

	"engram/index/internal/store"
	"engram/internal/filelock"
)

// apply executes a plan. The caller holds write.lock, so the index is unchanged since the
// plan was made.
func (c *call) apply(ctx context.Context, p *plan) error {
	release, err := acquire(ctx, c.path("lock"), filelock.Exclusive)
	if err != nil {
		return err
	}
	defer release()
	if err := store.MarkWriting(c.current()); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	s, err := store.Open(c.current(), store.ForWriting)
	if err != nil {
		return damaged(err, p.from.Build)
	}
	if err = s.Write(p.batch, &p.to); err == nil {
		err = s.MergeSmall(ctx)
	}
	if closeErr := s.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = store.WriteSeal(c.current(), p.to.Revision)
	}
	switch {
	case diskFull(err):
		return fmt.Errorf("write the index: %w", err)
	case err != nil:
		return damaged(err, p.from.Build)
	}
	c.worked = true
	c.report.Indexed += p.indexed
	c.reflect(p.to)
	return nil
}
