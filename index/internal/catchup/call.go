package catchup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"engram/index/internal/store"
	"engram/internal/filelock"
)

const (
	// maxAttempts is how often one call retries because other processes moved the index on
	// while it waited.
	maxAttempts = 50
	// maxRepairs is how often one call rebuilds a damaged index.
	maxRepairs = 2
)

// call is one call of View or Glance.
type call struct {
	*Folder
	revision string
	read     func(*store.Store, store.Stamp) error // nil: only bring the index up to date
	report   Report
	worked   bool          // whether anything was written
	ran      bool          // whether read was called in the current attempt
	inside   time.Duration // spent in read
	repairs  int           // rebuilds because of damage
	unusable *errRebuild   // what has to be rebuilt, and why
}

// run serves the call as a reader if possible. Otherwise it queues as a writer, one at a
// time, so that no two processes prepare the same change.
func (c *call) run(ctx context.Context) error {
	for range maxAttempts {
		c.ran = false
		done, err := c.attempt(ctx, nil)
		if !done && (err == nil || c.isRebuild(err)) {
			done, err = c.write(ctx)
		}
		switch {
		case c.isRebuild(err): // the next attempt sees to it
		case err != nil && !c.ran && (unwritable(err) || diskFull(err)) && ctx.Err() == nil:
			return c.withoutWriting(ctx, err)
		case done:
			return err
		case err != nil:
			return err
		}
	}
	return errors.New("the index is moved on by other processes faster than it can be read")
}

// isRebuild reports whether err demands a rebuild, and remembers which index is unusable.
func (c *call) isRebuild(err error) bool {
	var rebuild *errRebuild
	if !errors.As(err, &rebuild) {
		return false
	}
	c.unusable = rebuild
	return true
}

// write brings the index to the revision, or serves the call if another process has done
// so in the meantime.
func (c *call) write(ctx context.Context) (done bool, err error) {
	release, err := acquire(ctx, c.path("write.lock"), filelock.Exclusive)
	if err != nil {
		return false, err
	}
	defer release()
	done, err = c.attempt(ctx, release)
	if c.ran || !c.isRebuild(err) {
		return done, err // if read ran, the lock is released already
	}
	if c.unusable.damage {
		c.repairs++
	}
	if c.repairs > maxRepairs {
		return false, fmt.Errorf("build the index: %s, %d times in a row", c.unusable.reason, c.repairs)
	}
	return c.read == nil, c.rebuild(ctx, c.unusable.reason)
}

// attempt calls read if the index is fit for the call. A writer passes the function that
// releases its lock; for a writer attempt otherwise updates the index, and is not done
// yet.
func (c *call) attempt(ctx context.Context, endTurn func()) (done bool, err error) {
	release, err := acquire(ctx, c.path("lock"), filelock.Shared)
	if err != nil {
		return false, err
	}
	defer release()
	seal := store.ReadSeal(c.current())
	if endTurn == nil && seal.Revision != "" && seal.Revision != c.revision {
		return false, nil // without opening what has to be opened again
	}
	s, st, err := c.open(seal)
	if err != nil {
		return false, err
	}
	if st.Revision != c.revision {
		if endTurn == nil {
			return false, s.Close()
		}
		p, err := c.Content.Plan(ctx, s, st, c.revision)
		if err != nil || p != nil {
			_ = s.Close()
			if err != nil {
				return false, err
			}
			release() // a holder of the shared lock cannot get the exclusive one
			return c.read == nil, c.apply(ctx, p)
		}
	}
	if endTurn != nil {
		endTurn() // read may take long
	}
	return true, c.use(s, st)
}

// acquire is filelock.Acquire with a release that may be called twice.
func acquire(ctx context.Context, path string, mode filelock.Mode) (release func(), err error) {
	unlock, err := filelock.Acquire(ctx, path, mode)
	if err != nil {
		return nil, lockError(ctx, err)
	}
	return sync.OnceFunc(func() { _ = unlock() }), nil
}

// open opens the current index, which has a seal, for reading. The error is an *errRebuild if
// there is none that can be used. The caller holds the lock.
func (c *call) open(seal store.Seal) (*store.Store, store.Stamp, error) {
	if _, err := os.Stat(c.current()); errors.Is(err, fs.ErrNotExist) {
		return nil, store.Stamp{}, &errRebuild{reason: NoIndex}
	} else if err != nil {
		return nil, store.Stamp{}, err
	}
	if err := seal.Check(c.current()); err != nil {
		return nil, store.Stamp{}, damaged(err, "")
	}
	s, err := c.Kept.open(c.current(), seal)
	if err != nil {
		return nil, store.Stamp{}, damaged(err, "")
	}
	st, err := s.ReadStamp()
	switch {
	case err != nil:
		err = damaged(err, "")
	case !c.Content.Fits(st):
		err = &errRebuild{"the index was of another version of engram", st.Build, false}
	case c.unusable != nil && c.unusable.build != "" && c.unusable.build == st.Build:
		err = c.unusable
	default:
		return s, st, nil
	}
	_ = s.Close()
	return nil, store.Stamp{}, err
}

func (c *call) reflect(st store.Stamp) { c.report.Revision, c.report.Skipped = st.Revision, st.Skipped }

// use calls read and closes s.
func (c *call) use(s *store.Store, st store.Stamp) error {
	c.reflect(st)
	if c.read == nil {
		return s.Close()
	}
	start := time.Now()
	c.ran = true
	err := func() error {
		defer func() { _ = s.Close() }() // also if read panics
		return c.read(s, st)
	}()
	c.inside += time.Since(start)
	if s.Damaged.Load() {
		_ = c.Kept.Close()
		if err == nil {
			err = errors.New("a search failed")
		}
		return damaged(err, st.Build)
	}
	return err
}
