// Package filelock lets processes of one machine take turns: an advisory lock
// on a file that stays where it is. The kernel drops the lock of a process
// that dies, so there is nothing to clean up and nothing to go stale.
//
// It is not for network file systems that do not implement flock, and not a
// substitute for compare-and-set: a process that ignores it must still be safe.
package filelock

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Mode says who else may hold the lock at the same time.
type Mode int

// The modes.
const (
	Shared    Mode = iota // other shared holders
	Exclusive             // nobody
)

// Acquire takes the lock at path, creating the file and its folder where they
// are missing, and waits for it until ctx is done. Waiters sleep in the kernel
// and are woken in turn. The caller must call release once. Locks of one
// process exclude each other like those of two.
func Acquire(ctx context.Context, path string, mode Mode) (release func() error, err error) {
	if err := MakeFolder(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	lock := flock.New(path, flock.SetPermissions(0o644))
	try, wait := lock.TryRLock, lock.RLock
	if mode == Exclusive {
		try, wait = lock.TryLock, lock.Lock
	}
	if held, err := try(); err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	} else if held {
		return lock.Unlock, nil
	}
	acquired := make(chan error, 1)
	go func() { acquired <- wait() }()
	select {
	case err := <-acquired:
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		return lock.Unlock, nil
	case <-ctx.Done():
		// A blocked flock cannot be called off. Whoever holds the lock will let
		// go or die; until then one goroutine stays behind to give it back.
		go func() {
			if <-acquired == nil {
				_ = lock.Unlock()
			}
		}()
		return nil, fmt.Errorf("lock %s: %w", path, context.Cause(ctx))
	}
}

// Try is Acquire for who has better things to do than wait: held is false
// where somebody else has the lock.
func Try(path string, mode Mode) (release func() error, held bool, err error) {
	if err := MakeFolder(filepath.Dir(path)); err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", path, err)
	}
	lock := flock.New(path, flock.SetPermissions(0o644))
	try := lock.TryRLock
	if mode == Exclusive {
		try = lock.TryLock
	}
	if held, err = try(); err != nil || !held {
		return nil, false, err
	}
	return lock.Unlock, true, nil
}
