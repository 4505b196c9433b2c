package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"engram/gitstore"
	"engram/gitstore/internal/gitcmd"
)

// TestClosed: a closed store says so and leaves no process behind.
func TestClosed(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	tip := write(t, store, map[string]string{"x": "1"})
	mustDo(t, store.Close())
	mustDo(t, store.Close())
	if children := gitChildren(t); len(children) > 0 {
		t.Errorf("still running: %v", children)
	}
	if _, err := store.Tip(t.Context()); !errors.Is(err, gitcmd.ErrClosed) {
		t.Errorf("tip: %v", err)
	}
	if _, err := apply(store, t, tip, map[string]string{"x": "2"}); !errors.Is(err, gitcmd.ErrClosed) {
		t.Errorf("apply: %v", err)
	}
	if got := gitIn(t, dir, "rev-parse", "engram"); got != tip {
		t.Errorf("the branch moved to %s", got)
	}
}

// gitChildren lists the gits that this process has started and not reaped.
func gitChildren(t *testing.T) []string {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		t.Skip("needs /proc")
	}
	var children []string
	for _, stat := range stats {
		b, err := os.ReadFile(stat)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(b), ") ")
		fields := strings.Fields(rest)
		if len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) && strings.Contains(string(b), "(git)") {
			children = append(children, string(b))
		}
	}
	return children
}

// TestCancel cancels every call at every moment, and then the store still works.
func TestCancel(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	tip := write(t, store, map[string]string{"x": "1", "y": "1"})
	calls := map[string]func(ctx context.Context) error{
		"tip": func(ctx context.Context) error { _, err := store.Tip(ctx); return err },
		"get": func(ctx context.Context) error { _, err := store.Get(ctx, tip, "x"); return err },
		"identity": func(ctx context.Context) error {
			_, err := must(gitstore.Open(t.Context(), dir, nil)).Identity(ctx)
			return err
		},
		"files":   func(ctx context.Context) error { _, err := store.Files(ctx, tip, ""); return err },
		"history": func(ctx context.Context) error { _, err := store.History(ctx, tip, "x", 0); return err },
		"diff":    func(ctx context.Context) error { _, err := store.Diff(ctx, tip, tip); return err },
		"introduced": func(ctx context.Context) error {
			_, _, err := store.Introduced(ctx, "", tip)
			return err
		},
		"all": func(ctx context.Context) error {
			for _, err := range store.All(ctx, tip, "") {
				if err != nil {
					return err
				}
			}
			return nil
		},
		"update": func(ctx context.Context) error {
			_, err := store.Update(ctx, func(string) ([]gitstore.Write, gitstore.Meta, error) {
				return writes(map[string]string{"z": time.Now().String()}), gitstore.Meta{Message: "z\n"}, nil
			})
			return err
		},
	}
	for name, call := range calls {
		for _, after := range []time.Duration{0, 200 * time.Microsecond, time.Millisecond, 3 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			if err := call(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s cancelled after %s: %v", name, after, err)
			}
			cancel()
			if err := call(t.Context()); err != nil {
				t.Errorf("%s after a cancelled one: %v", name, err)
			}
		}
	}
	fsck(t, dir)
}

// TestConcurrentUse of one store: every success is kept.
func TestConcurrentUse(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	write(t, store, map[string]string{"domain/first.yml": "first"})
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			for i := range 12 {
				path := fmt.Sprintf("domain/g%d/%d.yml", g, i)
				tip := write(t, store, map[string]string{path: path})
				if file, err := store.Get(t.Context(), tip, path); err != nil || string(file.Data) != path {
					t.Errorf("%s: %q %v", path, file.Data, err)
				}
				if _, err := store.Get(t.Context(), tip, "nothing"); !errors.Is(err, gitstore.ErrNotFound) {
					t.Errorf("nothing: %v", err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*100*time.Microsecond)
				_, _ = store.Tip(ctx) // cancelled at some moment
				cancel()
				if i%4 == 0 {
					if files, err := store.Files(t.Context(), tip, "domain/"); err != nil || len(files) < i {
						t.Errorf("%d files, %v", len(files), err)
					}
				}
			}
		})
	}
	wg.Wait()
	if got := len(contents(t, store, must(store.Tip(t.Context())))); got != 6*12+1 {
		t.Errorf("%d files", got)
	}
	fsck(t, dir)
}

// TestHookRefuses: a repository whose own hook forbids the move is told so.
func TestHookRefuses(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	tip := write(t, store, map[string]string{"x": "1"})
	hook := filepath.Join(dir, ".git/hooks/reference-transaction")
	mustDo(t, os.MkdirAll(filepath.Dir(hook), 0o755))
	mustDo(t, os.WriteFile(hook, []byte("#!/bin/sh\necho no >&2\n[ \"$1\" != prepared ]\n"), 0o755))
	if _, err := apply(store, t, tip, map[string]string{"x": "2"}); err == nil || !strings.Contains(err.Error(), "hook") {
		t.Errorf("got %v", err)
	}
	mustDo(t, os.Remove(hook))
	must(apply(store, t, tip, map[string]string{"x": "2"}))
}

// TestPlan: what Update hands to its caller and takes from it.
func TestPlan(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	refused := errors.New("refused")
	if _, err := store.Update(t.Context(), func(string) ([]gitstore.Write, gitstore.Meta, error) { return nil, gitstore.Meta{}, refused }); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	tip := write(t, store, map[string]string{"x": "1"})
	calls := 0
	revision, err := store.Update(t.Context(), func(at string) ([]gitstore.Write, gitstore.Meta, error) {
		calls++
		if calls == 1 { // a git that knows no lock of engram's is faster
			other := gitIn(t, dir, "commit-tree", tip+"^{tree}", "-p", tip, "-m", "other")
			gitIn(t, dir, "update-ref", "refs/heads/engram", other, tip)
		} else if at == tip {
			t.Error("planned on the old tip again")
		}
		return writes(map[string]string{"x": "2"}), gitstore.Meta{Message: "x\n"}, nil
	})
	if err != nil || calls != 2 {
		t.Errorf("%d calls, %v", calls, err)
	}
	if got := gitIn(t, dir, "rev-list", "--count", revision); got != "3" {
		t.Errorf("%s commits", got)
	}
	same, err := store.Update(t.Context(), func(string) ([]gitstore.Write, gitstore.Meta, error) { return nil, gitstore.Meta{}, nil })
	if err != nil || same != revision {
		t.Errorf("nothing planned: %s %v", same, err)
	}
}
