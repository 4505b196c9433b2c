package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"engram/internal/filelock"
)

// Stats says what an index consists of.
type Stats struct {
	Revision  string // what it reflects
	Documents int    // versions
	Segments  int
	Skipped   int   // states that are no fact, since the last rebuild
	Bytes     int64 // on disk
}

// Stats looks at the index as it stands and changes nothing. Where there is
// none the result is zero. The error says what is wrong with an index that
// cannot be used.
func (x *Index) Stats(ctx context.Context) (Stats, error) {
	if _, err := os.Stat(x.current()); errors.Is(err, fs.ErrNotExist) {
		return Stats{}, nil
	} else if err != nil {
		return Stats{}, fmt.Errorf("look at the index: %w", err)
	}
	release, err := acquire(ctx, x.path("lock"), filelock.Shared)
	if err != nil {
		return Stats{}, err
	}
	defer release()
	s, st, err := (&call{Index: x}).open()
	if err != nil {
		return Stats{}, fmt.Errorf("look at the index: %w", err)
	}
	defer func() { _ = s.close() }()
	stats := Stats{Revision: st.Revision, Documents: s.documents(), Segments: len(s.segs), Skipped: st.Skipped}
	err = filepath.WalkDir(x.current(), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			stats.Bytes += info.Size()
		}
		return err
	})
	return stats, err
}

// Remove removes the index, so that the next call builds it anew. It waits for
// readers and writers to finish; none has to know.
func (x *Index) Remove(ctx context.Context) error {
	if _, err := os.Stat(x.current()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	endTurn, err := acquire(ctx, x.path("write.lock"), filelock.Exclusive)
	if err != nil {
		return err
	}
	defer endTurn()
	release, err := acquire(ctx, x.path("lock"), filelock.Exclusive)
	if err != nil {
		return err
	}
	defer release()
	if err := os.RemoveAll(x.current()); err != nil {
		return fmt.Errorf("remove the index: %w", err)
	}
	return nil
}

// Forget is Remove for what must not be kept: the vectors of all models go as
// well, and what builders left that died. It waits for who embeds, too.
func (x *Index) Forget(ctx context.Context) error {
	embedded, err := acquire(ctx, x.path(vectorLock), filelock.Exclusive)
	if err != nil {
		return err
	}
	defer embedded()
	endTurn, err := acquire(ctx, x.path("write.lock"), filelock.Exclusive)
	if err != nil {
		return err
	}
	defer endTurn()
	release, err := acquire(ctx, x.path("lock"), filelock.Exclusive)
	if err != nil {
		return err
	}
	defer release()
	_ = x.Close() // some systems remove no file that is mapped
	entries, err := os.ReadDir(x.dir)
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".lock" && e.Name() != "lock" { // others may wait for these
			err = errors.Join(err, os.RemoveAll(x.path(e.Name())))
		}
	}
	if err != nil {
		return fmt.Errorf("remove the index: %w", err)
	}
	return nil
}
