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

// Stats says what an index consists of.
type Stats struct {
	Revision  string // what it reflects
	Documents int    // versions
	Segments  int
	Skipped   int   // states that are not facts, since the last rebuild
	Bytes     int64 // on disk
}

// Stats describes the index as it stands and changes nothing. If there is none the result
// is zero. The error says what is wrong with an index that cannot be used.
func (f *Folder) Stats(ctx context.Context) (Stats, error) {
	if _, err := os.Stat(f.current()); errors.Is(err, fs.ErrNotExist) {
		return Stats{}, nil
	} else if err != nil {
		return Stats{}, fmt.Errorf("look at the index: %w", err)
	}
	release, err := acquire(ctx, f.path("lock"), filelock.Shared)
	if err != nil {
		return Stats{}, err
	}
	defer release()
	s, st, err := (&call{Folder: f}).open(store.ReadSeal(f.current()))
	if err != nil {
		return Stats{}, fmt.Errorf("look at the index: %w", err)
	}
	defer func() { _ = s.Close() }()
	stats := Stats{Revision: st.Revision, Documents: s.Documents(), Segments: len(s.Segments()), Skipped: st.Skipped}
	err = filepath.WalkDir(f.current(), func(_ string, d fs.DirEntry, err error) error {
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

// Remove removes the index, so that the next call rebuilds it. It waits for readers and
// writers to finish.
func (f *Folder) Remove(ctx context.Context) error {
	if _, err := os.Stat(f.current()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	release, err := f.lockAll(ctx)
	if err != nil {
		return err
	}
	defer release()
	_ = f.Kept.Close()
	if err := os.RemoveAll(f.current()); err != nil {
		return fmt.Errorf("remove the index: %w", err)
	}
	return nil
}

// lockAll waits for the writers and the readers.
func (f *Folder) lockAll(ctx context.Context) (release func(), err error) {
	endTurn, err := acquire(ctx, f.path("write.lock"), filelock.Exclusive)
	if err != nil {
		return nil, err
	}
	end, err := acquire(ctx, f.path("lock"), filelock.Exclusive)
	if err != nil {
		endTurn()
		return nil, err
	}
	return func() { end(); endTurn() }, nil
}

// Forget removes everything in the folder, including the vectors of all models and what
// dead builders left. It calls closeVectors first, because some systems do not remove a
// mapped file.
func (f *Folder) Forget(ctx context.Context, vectorLock string, closeVectors func() error) error {
	unlock, err := acquire(ctx, f.path(vectorLock), filelock.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	return f.clear(ctx, func(string) bool { return false }, closeVectors)
}

// Clear removes what is in the folder, including what dead builders left, but not what keep
// names: what belongs to others than this index.
func (f *Folder) Clear(ctx context.Context, keep func(name string) bool) error {
	return f.clear(ctx, keep, func() error { return nil })
}

func (f *Folder) clear(ctx context.Context, keep func(name string) bool, closeVectors func() error) error {
	release, err := f.lockAll(ctx)
	if err != nil {
		return err
	}
	defer release()
	_ = f.Kept.Close()
	_ = closeVectors()
	entries, err := os.ReadDir(f.Dir)
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".lock" && e.Name() != "lock" && !keep(e.Name()) { // others may wait for locks
			err = errors.Join(err, os.RemoveAll(f.path(e.Name())))
		}
	}
	if err != nil {
		return fmt.Errorf("remove the index: %w", err)
	}
	return nil
}
