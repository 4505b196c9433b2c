package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"engram/internal/filelock"
)

// ErrNotReady: there is no index that can be used as it is.
var ErrNotReady = errors.New("no index is ready")

// Glance calls fn with the index as it stands, however far behind, and neither
// waits for writers nor writes. The error wraps ErrNotReady where there is none,
// or one that View would build anew.
func (x *Index) Glance(ctx context.Context, fn func(*View) error) (Report, error) {
	if _, err := os.Stat(x.current()); errors.Is(err, fs.ErrNotExist) {
		return Report{}, ErrNotReady
	}
	release, err := acquire(ctx, x.path("lock"), filelock.Shared)
	if err != nil {
		return Report{}, err
	}
	defer release()
	c := &call{Index: x, fn: fn}
	s, st, err := c.open()
	if err == nil {
		err = c.use(s, st)
	}
	if rebuild := (*errRebuild)(nil); errors.As(err, &rebuild) {
		err = fmt.Errorf("%w: %w", ErrNotReady, err)
	}
	return c.report, err
}
