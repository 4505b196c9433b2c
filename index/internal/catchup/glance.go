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

// ErrNotReady says that there is no index that can be used as it is.
var ErrNotReady = errors.New("no index is ready")

// Glance calls read with the index as it stands, however far behind. It neither
// waits for writers nor writes. The error wraps ErrNotReady if there is no index,
// or one that View would rebuild.
func (f *Folder) Glance(ctx context.Context, read func(*store.Store, store.Stamp) error) (Report, error) {
	if _, err := os.Stat(f.current()); errors.Is(err, fs.ErrNotExist) {
		return Report{}, ErrNotReady
	}
	release, err := acquire(ctx, f.path("lock"), filelock.Shared)
	if err != nil {
		return Report{}, err
	}
	defer release()
	c := &call{Folder: f, read: read}
	s, st, err := c.open(store.ReadSeal(c.current()))
	if err == nil {
		err = c.use(s, st)
	}
	if rebuild := (*errRebuild)(nil); errors.As(err, &rebuild) {
		err = fmt.Errorf("%w: %w", ErrNotReady, err)
	}
	return c.report, err
}
