package index

import (
	"context"
	"fmt"

	"engram/internal/filelock"
)

// apply carries a plan out. The writers' turn is ours, so the index is still what
// the plan was made for.
func (c *call) apply(ctx context.Context, p *plan) error {
	release, err := acquire(ctx, c.path("lock"), filelock.Exclusive)
	if err != nil {
		return err
	}
	defer release()
	if err := markWriting(c.current()); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	s, err := openStore(c.current(), toWrite)
	if err != nil {
		return damaged(err, p.from.Build)
	}
	if err = s.write(p.batch, &p.to); err == nil {
		err = s.mergeSmall(ctx)
	}
	if closeErr := s.close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = sealFolder(c.current(), p.to.Revision)
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
