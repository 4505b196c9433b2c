package catchup

import (
	"context"
	"fmt"
	"iter"

	"engram/index/internal/store"
	"engram/internal/filelock"
)

// apply executes a plan. The caller holds write.lock, so the index is unchanged since the
// plan was made.
func (c *call) apply(ctx context.Context, plan iter.Seq2[Portion, error]) error {
	for p, err := range plan {
		if err != nil {
			return err
		}
		if err := c.applyPortion(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) applyPortion(ctx context.Context, p Portion) error {
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
		return damaged(err, p.To.Build)
	}
	if err = s.Drop(p.Batch, p.Drop); err == nil {
		err = s.Write(p.Batch, &p.To)
	}
	if err == nil {
		err = s.MergeSmall(ctx)
	}
	if closeErr := s.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = store.WriteSeal(c.current(), p.To.Revision)
	}
	switch {
	case diskFull(err):
		return fmt.Errorf("write the index: %w", err)
	case err != nil:
		return damaged(err, p.To.Build)
	}
	c.worked = true
	c.report.Indexed += p.Indexed
	c.reflect(p.To)
	return nil
}
