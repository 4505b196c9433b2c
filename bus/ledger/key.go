package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"engram/internal/atomicfile"
	"engram/internal/filelock"
)

const (
	keyName  = "key"
	keyBytes = 32
)

// KeyError reports a key that other users can read.
type KeyError struct{ Path string }

func (e *KeyError) Error() string {
	return fmt.Sprintf("other users can read the key that signs grants, %s", e.Path)
}

// key returns the key that signs grants, and creates it on first use. A damaged key is
// replaced, which ends all grants. The error is a *KeyError if other users can read the
// key, on systems with such permissions.
func (l *Ledger) key(ctx context.Context) ([]byte, error) {
	if key, err := l.readKey(); err != nil || key != nil {
		return key, err
	}
	release, err := l.lock(ctx, keyName)
	if err != nil {
		return nil, err
	}
	defer func() { _ = release() }()
	if key, err := l.readKey(); err != nil || key != nil { // another process was faster
		return key, err
	}
	key := make([]byte, keyBytes)
	if _, err := rand.Read(key); err != nil {
		return nil, fmt.Errorf("create the key for grants: %w", err)
	}
	filelock.Sweep(l.path(keyName))
	if err := atomicfile.Write(l.path(keyName), key, 0o600, true); err != nil {
		return nil, fmt.Errorf("store the key for grants: %w", err)
	}
	return key, nil
}

// readKey returns nil if there is no key, or one of another length.
func (l *Ledger) readKey() ([]byte, error) {
	path := l.path(keyName)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the key for grants: %w", err)
	}
	if !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, &KeyError{Path: path}
	}
	key, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the key for grants: %w", err)
	}
	if len(key) != keyBytes {
		l.opts.Logger.Warn("the key for grants is damaged; a new one is created")
		return nil, nil
	}
	return key, nil
}
