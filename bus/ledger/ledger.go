// Package ledger keeps the state of the bus in one clone: the key that signs grants, the
// usage of grants and turns, and a log of events. The state is local, in one folder, and
// has counts and ids, never the text of a fact or a message.
package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"engram/internal/atomicfile"
	"engram/internal/filelock"
)

// Options are the settings of a ledger; the zero value is the default.
type Options struct {
	Now      func() time.Time // the clock; nil means time.Now
	Logger   *slog.Logger     // nil discards
	TurnTime time.Duration    // after which a turn ends; 0 means DefaultTurnTime
	// Secret reports whether a text holds a secret; such a name is not stored in an event.
	// nil means that none does.
	Secret func(text string) bool
}

// DefaultTurnTime is the time after which a turn ends, counted from its first excerpt.
const DefaultTurnTime = 30 * time.Minute

// Ledger is the ledger of one clone. It is safe for concurrent use by goroutines and
// processes. It keeps no file open.
type Ledger struct {
	dir  string
	opts Options // with defaults
}

// New returns the ledger in a folder, which is created on the first write.
func New(dir string, opts *Options) *Ledger {
	l := &Ledger{dir: dir}
	if opts != nil {
		l.opts = *opts
	}
	if l.opts.Now == nil {
		l.opts.Now = time.Now
	}
	if l.opts.Logger == nil {
		l.opts.Logger = slog.New(slog.DiscardHandler)
	}
	if l.opts.Secret == nil {
		l.opts.Secret = func(string) bool { return false }
	}
	if l.opts.TurnTime <= 0 {
		l.opts.TurnTime = DefaultTurnTime
	}
	return l
}

// moment returns the present in the stored precision.
func (l *Ledger) moment() time.Time { return l.opts.Now().UTC().Truncate(time.Millisecond) }

func (l *Ledger) path(name string) string { return filepath.Join(l.dir, name) }

// lock locks one of the files.
func (l *Ledger) lock(ctx context.Context, name string) (release func() error, err error) {
	return filelock.Acquire(ctx, l.path(name)+".lock", filelock.Exclusive)
}

// update changes the content of a file, unless change fails. A durable file survives a
// power cut in its last acknowledged state.
func update[T any](ctx context.Context, l *Ledger, name string, durable bool, change func(*T) error) error {
	release, err := l.lock(ctx, name)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	content, err := read[T](l, name)
	if err != nil {
		return err
	}
	if err := change(&content); err != nil {
		return err
	}
	filelock.Sweep(l.path(name))
	raw, err := json.Marshal(content)
	if err == nil {
		err = atomicfile.Write(l.path(name), raw, 0o600, durable)
	}
	if err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	return nil
}

// read reads a file. A damaged file counts as empty: without turns, budgets start again;
// without grants, all tokens are invalid.
func read[T any](l *Ledger, name string) (content T, err error) {
	raw, err := os.ReadFile(l.path(name))
	if errors.Is(err, os.ErrNotExist) {
		return content, nil
	}
	if err != nil {
		return content, fmt.Errorf("read %s: %w", name, err)
	}
	if err := json.Unmarshal(raw, &content); err != nil {
		l.opts.Logger.Warn("a damaged file of the ledger is replaced with an empty one", "file", name)
		var empty T
		return empty, nil
	}
	return content, nil
}
