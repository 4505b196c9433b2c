// Package filelock has advisory locks between processes of one machine, on files
// that are never removed. The kernel releases the lock of a process that dies, so
// locks cannot go stale.
//
// The package is not for network file systems without flock, and does not replace
// compare-and-set: a process that ignores the lock must do no harm.
package filelock

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Mode says which other holders a lock permits.
type Mode int

// The modes.
const (
	Shared    Mode = iota // other shared holders
	Exclusive             // nobody
)

// Acquire takes the lock at path, creating the file and its folder if they are missing,
// and waits for the lock until ctx is done. Waiters sleep in the kernel and are woken in
// turn. The caller must call release once. Locks of one process exclude each other like
// locks of two processes.
func Acquire(ctx context.Context, path string, mode Mode) (release func() error, err error) {
	lock, held, err := try(path, mode)
	if err != nil {
		return nil, err
	}
	if held {
		return lock.Unlock, nil
	}
	wait := lock.RLock
	if mode == Exclusive {
		wait = lock.Lock
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
		// A blocked flock cannot be cancelled. A goroutine waits until the lock is free
		// and releases it.
		go func() {
			if <-acquired == nil {
				_ = lock.Unlock()
			}
		}()
		return nil, fmt.Errorf("lock %s: %w", path, context.Cause(ctx))
	}
}

// Try is a non-blocking Acquire: held is false if another holder has the lock.
func Try(path string, mode Mode) (release func() error, held bool, err error) {
	lock, held, err := try(path, mode)
	if err != nil || !held {
		return nil, false, err
	}
	return lock.Unlock, true, nil
}

func try(path string, mode Mode) (lock *flock.Flock, held bool, err error) {
	if err := MakeFolder(filepath.Dir(path)); err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", path, err)
	}
	lock = flock.New(path, flock.SetPermissions(0o644))
	if mode == Exclusive {
		held, err = lock.TryLock()
	} else {
		held, err = lock.TryRLock()
	}
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", path, err)
	}
	return lock, held, nil
}
