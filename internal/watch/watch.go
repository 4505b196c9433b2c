// Package watch calls a function whenever files change, and every so often in case
// an event was lost. It does not say what changed: the function compares for itself.
package watch

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// Events are gathered until there have been none for settle, at most for
	// longest: git writes a reference in several steps, and whoever writes one fact
	// often writes more, which is not to compete with work on the first.
	settle  = 200 * time.Millisecond
	longest = 2 * time.Second
	// DefaultTick is how often Watch looks without having been poked.
	DefaultTick = 30 * time.Second
)

// Watch calls reconcile at once, whenever one of the files changes, and every
// tick (0: DefaultTick) in case an event was lost; until ctx is done or
// reconcile fails, whose error it returns. Events only poke: reconcile has to
// compare for itself what is with what should be. It is never called twice at
// a time. Where it says that there is more to do it is called again without
// waiting. Files need not exist; what cannot be watched is left to the tick.
func Watch(ctx context.Context, files []string, tick time.Duration, log *slog.Logger, reconcile func(context.Context) (more bool, err error)) error {
	if tick <= 0 {
		tick = DefaultTick
	}
	w := &watch{files: files, log: log}
	if watcher, err := fsnotify.NewWatcher(); err != nil {
		log.Warn("no file system events; looking every so often instead", "error", err)
	} else {
		defer func() { _ = watcher.Close() }()
		w.watcher, w.events, w.errors = watcher, watcher.Events, watcher.Errors
	}
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		w.follow()
		more, err := reconcile(ctx)
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if !more {
			if err := w.wait(ctx, ticker.C); err != nil {
				return err
			}
		}
	}
}

// watch is the state of one Watch. Without a watcher its channels are nil and
// say nothing.
type watch struct {
	files   []string
	log     *slog.Logger
	watcher *fsnotify.Watcher
	events  <-chan fsnotify.Event
	errors  <-chan error
}

// follow watches the folder of each file, or where that is missing the nearest
// above it: git replaces files by renaming others, and removes empty folders.
func (w *watch) follow() {
	if w.watcher == nil {
		return
	}
	for _, file := range w.files {
		folder := filepath.Dir(file)
		for _, err := os.Stat(folder); err != nil && filepath.Dir(folder) != folder; _, err = os.Stat(folder) {
			folder = filepath.Dir(folder)
		}
		if slices.Contains(w.watcher.WatchList(), folder) {
			continue
		}
		if err := w.watcher.Add(folder); err != nil {
			w.log.Debug("folder not watched", "folder", folder, "error", err)
		}
	}
}

// wait returns when there is reason to look.
func (w *watch) wait(ctx context.Context, tick <-chan time.Time) error {
	var settled, late <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick:
			return nil
		case <-settled:
			return nil
		case <-late:
			return nil
		case err := <-w.errors:
			w.log.Debug("events lost", "error", err)
			return nil
		case event := <-w.events:
			if !w.concerns(event.Name) {
				continue
			}
			settled = time.After(settle)
			if late == nil {
				late = time.After(longest)
			}
		}
	}
}

// concerns reports whether a path is one of the files or above one.
func (w *watch) concerns(path string) bool {
	return slices.ContainsFunc(w.files, func(file string) bool {
		return path == file || strings.HasPrefix(file, path+string(filepath.Separator))
	})
}
