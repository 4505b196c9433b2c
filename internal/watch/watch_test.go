package watch_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"engram/internal/watch"
)

// watched runs Watch and returns a channel that is told of each look.
func watched(t *testing.T, files []string, tick time.Duration) <-chan struct{} {
	ctx, cancel := context.WithCancel(t.Context())
	looks, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- watch.Watch(ctx, files, tick, slog.New(slog.DiscardHandler), func(ctx context.Context) (bool, error) {
			select {
			case looks <- struct{}{}:
			case <-ctx.Done():
			}
			return false, nil
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Watch ended with %v", err)
		}
	})
	return looks
}

func look(t *testing.T, looks <-chan struct{}, why string) {
	t.Helper()
	select {
	case <-looks:
	case <-time.After(10 * time.Second):
		t.Fatalf("no look %s", why)
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".lock", []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".lock", path); err != nil {
		t.Fatal(err)
	}
}

func TestWatchLooksWhenAFileIsReplaced(t *testing.T) {
	dir := t.TempDir()
	packed, loose := filepath.Join(dir, "packed-refs"), filepath.Join(dir, "refs", "heads", "team", "memory")
	looks := watched(t, []string{packed, loose}, time.Hour)
	look(t, looks, "at the beginning")
	write(t, packed)
	look(t, looks, "after the file was made")
	write(t, packed)
	look(t, looks, "after it was replaced")
	// Its folder does not exist yet: first the folder above is watched.
	write(t, loose)
	look(t, looks, "after a folder was made")
	time.Sleep(100 * time.Millisecond) // let it follow into the folder
	for len(looks) > 0 {
		<-looks
	}
	write(t, loose)
	look(t, looks, "after the file in it was replaced")
}

func TestWatchPassesOverOtherFiles(t *testing.T) {
	dir := t.TempDir()
	looks := watched(t, []string{filepath.Join(dir, "packed-refs")}, time.Hour)
	look(t, looks, "at the beginning")
	write(t, filepath.Join(dir, "index"))
	select {
	case <-looks:
		t.Error("it looked because of a file that it does not watch")
	case <-time.After(300 * time.Millisecond):
	}
}

func TestWatchLooksEverySoOften(t *testing.T) {
	looks := watched(t, []string{filepath.Join(t.TempDir(), "nowhere", "packed-refs")}, 20*time.Millisecond)
	for range 4 {
		look(t, looks, "by the tick")
	}
}

func TestWatchGoesOnWhileThereIsMore(t *testing.T) {
	n, stop := 0, errors.New("that is all")
	err := watch.Watch(t.Context(), nil, time.Hour, slog.New(slog.DiscardHandler), func(context.Context) (bool, error) {
		if n++; n == 5 {
			return false, stop
		}
		return true, nil
	})
	if n != 5 || !errors.Is(err, stop) {
		t.Errorf("%d looks, error %v", n, err)
	}
}
