package catchup

import (
	"runtime"
	"sync"
	"time"

	"engram/index/internal/store"
)

// keptFor is how long an index stays open that nobody uses. Meanwhile the disk space of files
// that another process removed is not free.
const keptFor = time.Minute

// Kept keeps an index open from one reader to the next. It holds no lock: other processes may
// write, rebuild or remove the index at any time. Every reader compares the seal, under the
// lock of the folder, and opens the index again if it was written since; so nothing is read that
// has been removed from it. A nil Kept keeps nothing. It is safe for concurrent use.
type Kept struct {
	mu    sync.Mutex
	store *store.Store // nil: nothing is open
	write string       // of the seal that it was opened with
	idle  *time.Timer
}

// NewKept returns a Kept, or nil on a system that does not remove files that are open.
func NewKept() *Kept {
	if runtime.GOOS == "windows" {
		return nil
	}
	return &Kept{}
}

// open returns the index in a folder, which has a seal. The caller holds the lock of the folder,
// and closes the store.
func (k *Kept) open(folder string, seal store.Seal) (*store.Store, error) {
	if k == nil || seal.Write == "" || store.Unsealed(folder) {
		return store.Open(folder, store.ForReading)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.store == nil || k.write != seal.Write {
		k.release()
		s, err := store.Open(folder, store.ForReading)
		if err != nil {
			return nil, err
		}
		if err := s.Detach(); err != nil {
			_ = s.Close()
			return nil, err
		}
		k.store, k.write = s, seal.Write
	}
	if k.idle == nil {
		k.idle = time.AfterFunc(keptFor, func() { _ = k.Close() })
	} else {
		k.idle.Reset(keptFor)
	}
	k.store.Share()
	return k.store, nil
}

// Close closes the index as soon as its last reader is done. The Kept may be used afterwards.
func (k *Kept) Close() error {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.release()
	return nil
}

// release gives up the share that the Kept has. The caller holds the mutex.
func (k *Kept) release() {
	if k.idle != nil {
		k.idle.Stop()
	}
	if k.store != nil {
		_ = k.store.Close() // it was open for reading
		k.store = nil
	}
}
